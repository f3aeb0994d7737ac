#include "ptx/ptx_docs.h"

#include "ptx/module.h"
#include "ptx/opcodes.h"

static const char introduction[] =
    "# PTX\n"
    "\n"
    "What the front end executes. This page is generated from the table that the parser itself "
    "uses\n"
    "(`src/ptx/opcodes.c`); `make docs` writes it again.\n"
    "\n"
    "Anything else is an error that names the file, the line and the word that is not known. "
    "Refused with a\n"
    "reason: images, textures and samplers; 32-bit modules; 128-bit and vector registers; calls "
    "that no\n"
    "function of the module answers, except `vprintf` (printed to standard error) and "
    "`__assertfail` (an\n"
    "error). Debug sections are skipped; `.loc` and `.file` give errors their source lines.\n"
    "\n"
    "## Opcodes\n"
    "\n"
    "Suffixes in braces may be absent; words separated by a slash are alternatives; a star allows "
    "several.\n"
    "Operands, results first: `D` result, `W` twice as wide, `K` 32 bits, `P` predicate, `V` "
    "scalar or\n"
    "vector, `A` source of the type, `S` of the second type, `w` twice as wide, `B` 32 bits, `p` "
    "predicate,\n"
    "`v` scalar or vector, `M` memory, `L` label, `X` constant; `U` and `u` are mov's.\n"
    "\n"
    "| opcode | forms | operands | what it does |\n"
    "|---|---|---|---|\n";

static const char choices[] =
    "\n"
    "## Choices where the PTX manual leaves one\n"
    "\n"
    "- NaN results are canonical: `0x7fffffff` for f32, `0x7ff8000000000000` for f64, `0x7fff` for "
    "f16 and bf16.\n"
    "- Integer division by zero gives all ones, the remainder the dividend; the most negative "
    "number divided by\n"
    "  -1 gives itself, the remainder 0.\n"
    "- Two lanes that store to one address: the higher lane wins. Atomics take effect from the "
    "lowest lane up.\n"
    "- Registers, shared memory and the frame of a kernel start as zeros.\n"
    "- `%clock`, `%clock64` and `%globaltimer` count the instructions of the warp in functional "
    "execution.\n"
    "- A warp of 64 lanes is two PTX warps side by side: `%laneid` is 0 to 31, and shuffles, votes "
    "and matches\n"
    "  stay within 32 lanes. Kernels that use them need a width of 32 or 64.\n"
    "- Instructions with `.subgroup` and registers `%subgroup_*` are not NVIDIA's. They are over "
    "all "
    "lanes of a\n"
    "  warp, whatever its width, for the sub-groups of OpenCL C. A lane that reads from a lane "
    "that "
    "is not\n"
    "  active, or not there, keeps its own value.\n"
    "- Barriers count work-items; one that has ended counts as if it had arrived. A barrier that "
    "only "
    "some work-items\n"
    "  reach is reported when others of their warp wait for them, so whether it is can depend on "
    "the "
    "warp width.\n"
    "- NaN converts to the integer 0, or to the top bit alone when the source is f64 or the result "
    "has 64 bits.\n"
    "- Lanes split by a branch run until they meet at its immediate post-dominator; the "
    "fall-through side runs\n"
    "  first. A loop that waits for lanes which wait for it is reported, not run forever.\n"
    "- Asynchronous copies (`cp.async`) happen at once.\n";

static void write_shape(const char *shape, FILE *out)
{
    for (; *shape; shape++)
        fputs(*shape == '|' ? "\\|" : (char[]){*shape, 0}, out);
}

static void write_opcode(const ww_opcode *row, FILE *out)
{
    char pattern[512];
    ww_opcode_pattern(row, pattern, sizeof(pattern));
    fprintf(out, "| `%s` | ", ww_op_name(row->op));
    if (pattern[0])
        fprintf(out, "`%s`", pattern);
    fputs(" | ", out);
    write_shape(row->shape, out);
    fprintf(out, " | %s |\n", row->doc);
}

void ww_ptx_write_docs(FILE *out)
{
    fputs(introduction, out);
    for (unsigned i = 0; i < ww_opcode_count; i++)
        write_opcode(&ww_opcodes[i], out);
    fputs("\n## Special registers\n\n| name | the same for |\n|---|---|\n", out);
    for (unsigned s = 0; s < WW_SPECIAL_COUNT; s++)
        fprintf(out, "| `%s` | %s |\n", ww_special_name((ww_special)s),
                ww_special_scope((ww_special)s));
    fputs(choices, out);
}
