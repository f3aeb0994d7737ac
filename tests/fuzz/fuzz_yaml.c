/* Any bytes as a YAML document: it is refused with an error, or every node can be asked for a value
 * of every type. */
#include "config/yaml.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void ask(const ww_yaml *node, ww_errors *errors)
{
    static const char *const names[] = {"kernel", "buffers", "launches"};
    const char *text;
    bool flag;
    uint64_t u;
    int64_t i;
    double d;
    size_t index;
    const ww_yaml *item;
    ww_yaml_text(node, "text", &text, errors);
    ww_yaml_bool(node, "flag", &flag, errors);
    ww_yaml_u64(node, "u", 1, 1000, &u, errors);
    ww_yaml_i64(node, "i", -5, 5, &i, errors);
    ww_yaml_double(node, "d", &d, errors);
    ww_yaml_choice(node, "choice", names, 3, &index, errors);
    if (ww_yaml_expect(node, WW_YAML_MAPPING, "node", errors) == WW_OK) {
        ww_yaml_need(node, "kernel", &item, errors);
        ww_yaml_expect_keys(node, names, 3, errors);
    }
}

static void visit(const ww_yaml *node, ww_errors *errors)
{
    ask(node, errors);
    for (size_t i = 0; i < node->count; i++) {
        if (node->kind == WW_YAML_MAPPING &&
            ww_yaml_get(node, node->keys[i]->text) != node->items[i])
            abort();
        visit(node->items[i], errors);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ww_errors *errors = ww_errors_create();
    ww_yaml_document *document = ww_yaml_parse("fuzz.yaml", (const char *)bytes, size, errors);
    if (!document != (ww_errors_status(errors) != WW_OK))
        abort();
    if (document)
        visit(ww_yaml_root(document), errors);
    ww_yaml_destroy(document);
    ww_errors_destroy(errors);
    return 0;
}
