#include "support/dram_rules.h"

bool rule_is_column(const ww_dram_command *c)
{
    return c->op == WW_DRAM_READ || c->op == WW_DRAM_WRITE;
}

bool rule_is_refresh(const ww_dram_command *c)
{
    return c->op == WW_DRAM_REFRESH || c->op == WW_DRAM_REFRESH_BANK;
}

bool rule_concerns_rank(const ww_dram_command *c)
{
    return c->op == WW_DRAM_REFRESH || c->op == WW_DRAM_PRECHARGE_ALL;
}

rule_relation rule_relate(const ww_dram_type *type, const ww_dram_command *a,
                          const ww_dram_command *b)
{
    unsigned per_group = type->banks / type->bank_groups;
    rule_relation r;
    r.rank = a->bank / type->banks == b->bank / type->banks;
    r.group = a->bank / per_group == b->bank / per_group;
    r.bank = a->bank == b->bank || (r.rank && (rule_concerns_rank(a) || rule_concerns_rank(b)));
    return r;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Between the data of two bursts on the bus, as a distance of their commands. */
static int64_t bus_distance(const ww_dram_timing *t, ww_dram_op a, ww_dram_op b, bool same_rank)
{
    int64_t a_latency = a == WW_DRAM_READ ? t->cl : t->cwl;
    int64_t b_latency = b == WW_DRAM_READ ? t->cl : t->cwl;
    int64_t gap = same_rank ? 0 : t->rtrs;
    if (a == WW_DRAM_READ && b == WW_DRAM_WRITE)
        gap = max(gap, t->bta);
    return a_latency + t->burst + gap - b_latency;
}

static int64_t column_distance(const ww_dram_timing *t, const ww_dram_command *a,
                               const ww_dram_command *b, rule_relation r)
{
    int64_t least = bus_distance(t, a->op, b->op, r.rank);
    if (!r.rank)
        return least;
    least = max(least, r.group ? t->ccd_l : t->ccd_s);
    if (a->op == WW_DRAM_WRITE && b->op == WW_DRAM_READ)
        least = max(least, t->cwl + t->burst + (r.group ? t->wtr_l : t->wtr_s));
    return least;
}

/* From a read or write to a precharge of its bank. */
int64_t rule_recovery(const ww_dram_timing *t, const ww_dram_command *a)
{
    return a->op == WW_DRAM_READ ? t->rtp : t->cwl + t->burst + t->wr;
}

bool rule_closes_row(const ww_dram_command *c)
{
    return c->op == WW_DRAM_PRECHARGE || c->op == WW_DRAM_PRECHARGE_ALL;
}

/* The least distance of b after a, both of one bank (or of its rank), without auto-precharge. */
static int64_t bank_distance(const ww_dram_timing *t, const ww_dram_command *a,
                             const ww_dram_command *b)
{
    bool opens = b->op == WW_DRAM_ACTIVATE || rule_is_refresh(b);
    if (a->op == WW_DRAM_ACTIVATE && opens)
        return t->rc;
    if (a->op == WW_DRAM_ACTIVATE && rule_is_column(b))
        return t->rcd;
    if (a->op == WW_DRAM_ACTIVATE && rule_closes_row(b))
        return t->ras;
    if (rule_closes_row(a) && opens)
        return t->rp;
    if (rule_is_column(a) && rule_closes_row(b))
        return rule_recovery(t, a);
    if (rule_is_refresh(a) && opens)
        return a->op == WW_DRAM_REFRESH ? t->rfc : t->rfc_bank;
    return 1;
}

int64_t rule_least_distance(const ww_dram_type *type, const ww_dram_command *a,
                            const ww_dram_command *b)
{
    const ww_dram_timing *t = &type->timing;
    rule_relation r = rule_relate(type, a, b);
    int64_t least = 1; /* one command a cycle */
    if (rule_is_column(a) && rule_is_column(b))
        least = max(least, column_distance(t, a, b, r));
    if (a->op == WW_DRAM_ACTIVATE && b->op == WW_DRAM_ACTIVATE && r.rank)
        least = max(least, r.group ? t->rrd_l : t->rrd_s);
    return r.bank ? max(least, bank_distance(t, a, b)) : least;
}

bool rule_is_legal(const ww_dram_type *type, const ww_dram_command *history, size_t count,
                   const ww_dram_command *next)
{
    unsigned activates = 0;
    for (size_t i = count; i-- > 0 && next->cycle - history[i].cycle <= RULE_FAR;) {
        if ((int64_t)(next->cycle - history[i].cycle) <
            rule_least_distance(type, &history[i], next))
            return false;
        if (next->op == WW_DRAM_ACTIVATE && history[i].op == WW_DRAM_ACTIVATE &&
            rule_relate(type, &history[i], next).rank && ++activates == 4 &&
            next->cycle - history[i].cycle < type->timing.faw)
            return false;
    }
    return true;
}

uint32_t rule_between(ww_rng *rng, uint32_t low, uint32_t high)
{
    return low + (uint32_t)ww_rng_below(rng, high - low + 1);
}

void rule_random_timing(ww_dram_config *c, ww_rng *rng)
{
    ww_dram_timing *t = &c->type.timing;
    t->rcd = rule_between(rng, 1, 20);
    t->rp = rule_between(rng, 1, 20);
    t->ras = rule_between(rng, 1, 40);
    t->rc = t->ras + rule_between(rng, 0, 25);
    t->rrd_s = rule_between(rng, 1, 8);
    t->rrd_l = t->rrd_s + rule_between(rng, 0, 4);
    t->faw = rule_between(rng, 1, 50);
    t->burst = rule_between(rng, 1, 4);
    t->ccd_s = t->burst + rule_between(rng, 0, 2);
    t->ccd_l = t->ccd_s + rule_between(rng, 0, 3);
    t->cl = rule_between(rng, 1, 20);
    t->cwl = rule_between(rng, 1, 20);
    t->wr = rule_between(rng, 0, 20);
    t->wtr_s = rule_between(rng, 0, 10);
    t->wtr_l = t->wtr_s + rule_between(rng, 0, 5);
    t->rtp = rule_between(rng, 1, 10);
    t->bta = rule_between(rng, 0, 4);
    t->rtrs = rule_between(rng, 0, 4);
    t->rfc = rule_between(rng, 20, 200);
    t->rfc_bank = rule_between(rng, 20, 100);
    t->refi = rule_between(rng, 700, 4000);
}
