# Wrong input for paged memory: one line that says what is wrong, exit status 2.
. "$WW_ROOT/tests/support/cli.sh"

# refuse LINE SETTING...: a run of atax with these keys is refused.
refuse() {
    line=$1
    shift
    settings=
    for setting; do
        settings="$settings -s $setting"
    done
    # shellcheck disable=SC2086 # words of a command
    expect_error 2 "$line" run atax -m fermi-paged --size tiny $settings
}

# Keys that have no effect in the mode, or with the policy.
refuse '-s paging.resident_fraction=0.5: has no effect while paging.mode is copy' paging.mode=copy paging.resident_fraction=0.5
refuse '-s paging.evict=random: has no effect while paging.mode is copy' paging.mode=copy paging.evict=random
refuse '-s paging.prefetch=locality: has no effect while paging.mode is resident' paging.prefetch=locality
refuse '-s paging.driver=transfer_sets: has no effect while paging.mode is resident' paging.driver=transfer_sets
refuse '-s paging.link_duplex=true: has no effect while paging.mode is resident' paging.link_duplex=true
refuse '-s paging.reach=4: has no effect while paging.prefetch is none' paging.mode=demand paging.reach=4
refuse '-s paging.threshold=30: has no effect while paging.prefetch is locality' \
    paging.mode=demand paging.prefetch=locality paging.threshold=30

refuse '-s paging.zero_fill=true: has no effect while paging.mode is copy' paging.mode=copy paging.zero_fill=true
refuse '-s paging.evict_time=inside: has no effect while paging.driver is uvm' \
    paging.mode=demand paging.driver=uvm paging.evict_time=inside
refuse '-s paging.blocked_until=first: paging.blocked_until is first, but far-faults block no TLB (paging.faults: blocking)' \
    paging.mode=demand paging.blocked_until=first
refuse '-s paging.evict_time=outside: paging.evict_time is outside, but with paging.prefetch: locality pages leave when a set is sent (paging.prefetch: none)' \
    paging.mode=demand paging.prefetch=locality paging.evict_time=outside
refuse '-s paging.full_prefetch=all: paging.full_prefetch is all, but paging.prefetch: sequential adds no page when memory is full (locality or tree)' \
    paging.mode=demand paging.prefetch=sequential paging.full_prefetch=all

# Fractions outside of (0, 1], and what is no fraction.
for fraction in 0 -1 1.5 1.000001 nan half; do
    refuse "-s paging.resident_fraction=$fraction: paging.resident_fraction is '$fraction' (a number from 0.000001 to 1 is needed)" \
        paging.mode=demand paging.resident_fraction=$fraction
done
# One that leaves too few pages for an instruction.
refuse "-s paging.resident_fraction=0.001: kernel 'atax_rows': an instruction needs more pages at a time than the 1 that paging.resident_fraction leaves (a larger fraction, or smaller pages)" \
    paging.mode=demand paging.resident_fraction=0.001

# One line, too, where all warps of a group find that out in the same tick.
cat >same.cl <<'END'
kernel void same(global uint *data) { data[get_local_id(0) % 32 * 1024] = 1; }
END
cat >same.yaml <<'END'
kernel: same.cl
buffers:
  data: {type: u32, count: 32768}
launches:
  - {entry: same, global: [256], local: [256], args: [data]}
END
expect_error 2 "-s paging.resident_fraction=0.5: kernel 'same': an instruction needs more pages at a time than the 16 that paging.resident_fraction leaves (a larger fraction, or smaller pages)" \
    run same.yaml -m fermi-paged -s paging.mode=demand -s paging.resident_fraction=0.5

# Memory in blocks of 2 MiB: an instruction of two blocks does not fit into one, however few pages it has.
cat >far.cl <<'END'
kernel void far(global uint *data) { data[get_local_id(0) * 524288] = 1; }
END
cat >far.yaml <<'END'
kernel: far.cl
buffers:
  data: {type: u32, count: 1048576}
launches:
  - {entry: far, global: [2], local: [2], args: [data]}
END
expect_error 2 "-s paging.resident_fraction=0.1: kernel 'far': an instruction needs more blocks of 2 MiB at a time than the 1 that paging.resident_fraction leaves (a larger fraction, or paging.chunk: page)" \
    run far.yaml -m fermi-paged -s paging.mode=demand -s paging.chunk=2MiB -s paging.resident_fraction=0.1

# Names that do not exist.
expect_error 2 "--hint: atax has no buffer 'B' (one of: A, x, tmp, y)" \
    run atax -m fermi-paged --size tiny -s paging.mode=demand --hint B=prefetch
run_program run atax -m fermi-paged --size tiny -s paging.mode=demand -s paging.prefetch=next
check_status 2
grep -q "^-s paging.prefetch=next: paging.prefetch is 'next' (one of none, .* is needed)\$" err.txt || complain "no line about 'next'"
[ "$(wc -l <err.txt)" -eq 1 ] || complain "more than one line"

# Translation that costs nothing finds no missing page.
for mode in copy demand; do
    expect_error 2 "-s paging.mode=$mode: paging.mode is $mode, but translation is ideal: no walk would find that a page is missing (translation: full)" \
        run atax -m v100 --size tiny -s paging.mode=$mode
done

# In a machine file, with its location.
cat >machine.yaml <<'YAML'
base: fermi-paged
paging:
  mode: copy
  resident_fraction: 2
YAML
run_program run atax -m machine.yaml --size tiny
check_status 2
grep -q '^machine.yaml:4:[0-9]*: ' err.txt || complain "no line about machine.yaml:4"
finish
