/* docs/published.md and docs/published.html from the same rows. */
#include "published.h"

#include "base/embedded.h"
#include "study/numbers.h"

#include <math.h>
#include <string.h>

typedef struct writer {
    FILE *out;
    bool html;
} writer;

/* ---- marks ---- */

static void write_text(const writer *w, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("&lt;", w->out);
        else if (*text == '>' && w->html)
            fputs("&gt;", w->out);
        else if (*text == '&' && w->html)
            fputs("&amp;", w->out);
        else if (*text == '|' && !w->html)
            fputs("\\|", w->out);
        else
            fputc(*text, w->out);
}

static void write_link(const writer *w, const char *text, const char *target)
{
    if (w->html)
        fprintf(w->out, "<a href=\"%s\">%s</a>", target, text);
    else
        fprintf(w->out, "[%s](%s)", text, target);
}

static void write_heading(const writer *w, int level, const char *text)
{
    if (w->html)
        fprintf(w->out, "<h%d>%s</h%d>\n", level, text, level);
    else
        fprintf(w->out, "%.*s %s\n\n", level, "###", text);
}

static void write_paragraph(const writer *w, const char *text)
{
    fprintf(w->out, w->html ? "<p>%s</p>\n" : "%s\n\n", text);
}

/* `numbers`: a letter for each column, 'n' where it is to the right. */
static void begin_table(const writer *w, const char *const *names, const char *numbers)
{
    fputs(w->html ? "<div class=\"scroll\"><table class=\"data\"><thead><tr>" : "|", w->out);
    for (size_t i = 0; numbers[i]; i++)
        fprintf(w->out, w->html ? "<th%s>%s</th>" : "%s %s |",
                w->html ? numbers[i] == 'n' ? "" : " class=\"text\"" : "", names[i]);
    fputs(w->html ? "</tr></thead><tbody>\n" : "\n|", w->out);
    for (size_t i = 0; !w->html && numbers[i]; i++)
        fputs(numbers[i] == 'n' ? "---:|" : "---|", w->out);
    fputs(w->html ? "" : "\n", w->out);
}

static void end_table(const writer *w)
{
    fputs(w->html ? "</tbody></table></div>\n" : "\n", w->out);
}

static void begin_row(const writer *w)
{
    fputs(w->html ? "<tr>" : "|", w->out);
}

static void end_row(const writer *w)
{
    fputs(w->html ? "</tr>\n" : "\n", w->out);
}

static void begin_cell(const writer *w, const char *kind)
{
    if (w->html)
        fprintf(w->out, "<td%s%s%s>", kind[0] ? " class=\"" : "", kind, kind[0] ? "\"" : "");
    else
        fputc(' ', w->out);
}

static void end_cell(const writer *w)
{
    fputs(w->html ? "</td>" : " |", w->out);
}

static void write_cell(const writer *w, const char *kind, const char *text)
{
    begin_cell(w, kind);
    write_text(w, text);
    end_cell(w);
}

/* ---- papers ---- */

static const struct paper {
    const char *name, *title;
} papers[] = {
    {"isca18", "ISCA 2018: scheduling of page walks (Shin et al.)"},
    {"micro18", "MICRO 2018: merging of page walks (Shin et al.)"},
    {"hpca16", "HPCA 2016: demand paging (Zheng et al.)"},
    {"cuptw", "Page walks on compute units"},
    {"latency", "Lee 2017, chapters 3 and 4: where warps' time goes"},
    {"caws", "Lee 2017, chapter 3: oracle warp scheduling (CAWS)"},
    {"cawa", "Lee 2017, chapter 4: criticality-aware warps and caches (CAWA)"},
    {"ctrlc", "Lee 2017, chapter 5: cache bypassing (Ctrl-C)"},
    {"heteropdp", "Lee 2017, chapter 6: CPU or GPU (HeteroPDP)"},
};
#define PAPER_COUNT (sizeof(papers) / sizeof(papers[0]))

static bool is_of(const published_row *row, const struct paper *paper)
{
    size_t length = strlen(paper->name);
    return strncmp(row->id, paper->name, length) == 0 && row->id[length] == '.';
}

/* ---- summary ---- */

typedef struct summary {
    size_t rows, values, agree, rest, near, directed, right;
} summary;

static void count_row(const published_row *row, summary *s)
{
    s->rows++;
    if (row->kind == PUBLISHED_MISSING || row->is_input)
        return;
    s->values++;
    if (row->kind == PUBLISHED_CLAIM) {
        s->directed++;
        s->right += row->holds;
        return;
    }
    int direction = row->ratio ? ww_direction(&row->published) : 0;
    s->agree += row->verdict.agreement == WW_AGREES;
    s->rest += row->verdict.agreement == WW_AGREES && row->verdict.rests_on;
    s->near += row->verdict.agreement == WW_AGREES || fabs(row->verdict.difference) <= 0.25;
    s->directed += direction != 0;
    s->right += direction != 0 && ww_side(row->value) == direction;
}

static void write_summary_row(const writer *w, const char *name, const summary *s)
{
    char text[60];
    const size_t counts[] = {s->rows, s->values, s->agree, s->rest, s->near};
    begin_row(w);
    write_cell(w, "text", name);
    for (size_t i = 0; i < 5; i++) {
        snprintf(text, sizeof(text), "%zu", counts[i]);
        write_cell(w, "", text);
    }
    snprintf(text, sizeof(text), s->directed ? "%zu of %zu" : "", s->right, s->directed);
    write_cell(w, "", text);
    end_row(w);
}

static void write_summary(const writer *w, const published *p)
{
    static const char *const names[] = {"paper",
                                        "numbers",
                                        "with a value of ours",
                                        "within 10%",
                                        "resting on one program",
                                        "within 25%",
                                        "right direction"};
    summary all = {0};
    begin_table(w, names, "tnnnnnn");
    for (size_t k = 0; k < PAPER_COUNT; k++) {
        summary one = {0};
        for (size_t i = 0; i < p->count; i++)
            if (is_of(&p->rows[i], &papers[k])) {
                count_row(&p->rows[i], &one);
                count_row(&p->rows[i], &all);
            }
        if (one.rows)
            write_summary_row(w, papers[k].title, &one);
    }
    write_summary_row(w, "all", &all);
    end_table(w);
}

/* ---- rows ---- */

/* "speedup simt over fcfs, geomean: irregular (best 1.41)" */
static void write_what(const writer *w, const published_row *row)
{
    begin_cell(w, "text wide");
    write_text(w, row->metric);
    if (row->set[0]) {
        write_text(w, ": ");
        write_text(w, row->set);
    }
    if (row->note[0]) {
        write_text(w, " (");
        write_text(w, row->note);
        write_text(w, ")");
    }
    end_cell(w);
}

static void write_ours(const writer *w, const published_row *row)
{
    char text[WW_NUMBER_CHARS];
    ww_number_text(row->value, false, text);
    if (row->kind == PUBLISHED_CLAIM)
        write_cell(w, "wide", row->says);
    else
        write_cell(w, "", text);
}

static void write_difference(const writer *w, const published_row *row)
{
    char text[WW_NUMBER_CHARS] = "";
    double percent = nearbyint(100 * row->verdict.difference);
    if (row->kind == PUBLISHED_VALUE && isnan(row->published.value) && percent == 0)
        snprintf(text, sizeof(text), "inside");
    else if (row->kind == PUBLISHED_VALUE && !isnan(percent))
        snprintf(text, sizeof(text), percent == 0 ? "0%%" : "%+.0f%%", percent);
    write_cell(w, "", text);
}

static void write_verdict(const writer *w, const published_row *row)
{
    char without[WW_NUMBER_CHARS];
    begin_cell(w, "text wide");
    if (row->kind == PUBLISHED_CLAIM)
        write_text(w, row->holds ? "holds" : "does not hold");
    else
        write_text(w, ww_agreement_word(row->verdict.agreement));
    if (row->verdict.rests_on) {
        ww_number_text(row->verdict.without, false, without);
        fprintf(w->out, "; rests on ");
        write_text(w, row->verdict.rests_on);
        fprintf(w->out, " (without it %s)", without);
    }
    end_cell(w);
}

/* The table that ours is from, its commit, and the page that explains. */
static void write_origin(const writer *w, const published_row *row)
{
    const published_study *s = row->study;
    char target[160];
    begin_cell(w, "text");
    if (!s)
        write_link(w, "catalogue", "studies/catalogue.csv");
    else {
        snprintf(target, sizeof(target), "studies/%s-figures.csv", s->name);
        write_link(w, s->name, target);
        fprintf(w->out, " (%s)", row->commit[0] ? row->commit : "unknown commit");
    }
    if (s && s->has_page) {
        bool fine = row->kind == PUBLISHED_CLAIM ? row->holds : row->verdict.agreement == WW_AGREES;
        snprintf(target, sizeof(target), "%s.md%s", s->name,
                 !fine && s->explains ? "#what-differs-and-what-accounts-for-it" : "");
        fputs(", ", w->out);
        write_link(w, fine ? "more" : "why", target);
    }
    end_cell(w);
}

static void write_compared(const writer *w, const published *p, const struct paper *paper)
{
    static const char *const names[] = {"where",      "what",    "published", "ours",
                                        "difference", "verdict", "table"};
    bool open = false;
    for (size_t i = 0; i < p->count; i++) {
        const published_row *row = &p->rows[i];
        if (!is_of(row, paper) || row->kind == PUBLISHED_MISSING)
            continue;
        if (!open)
            begin_table(w, names, "ttnnntt");
        open = true;
        begin_row(w);
        write_cell(w, "text", row->where);
        write_what(w, row);
        write_cell(w, "", row->kind == PUBLISHED_CLAIM ? "" : row->text);
        write_ours(w, row);
        write_difference(w, row);
        write_verdict(w, row);
        write_origin(w, row);
        end_row(w);
    }
    if (open)
        end_table(w);
}

static void write_missing(const writer *w, const published *p, const struct paper *paper)
{
    static const char *const names[] = {"where", "what", "published", "no value of ours"};
    bool open = false;
    for (size_t i = 0; i < p->count; i++) {
        const published_row *row = &p->rows[i];
        if (!is_of(row, paper) || row->kind != PUBLISHED_MISSING)
            continue;
        if (!open)
            begin_table(w, names, "ttnt");
        open = true;
        begin_row(w);
        write_cell(w, "text", row->where);
        write_what(w, row);
        write_cell(w, "", strcmp(row->text, "-") == 0 ? "" : row->text);
        write_cell(w, "text", row->missing);
        end_row(w);
    }
    if (open)
        end_table(w);
}

/* ---- the pages ---- */

static void write_page(const writer *w, const published *p)
{
    write_heading(w, 1, "Published numbers beside ours");
    write_paragraph(w,
                    "Every number of the papers that warpwalk is about, as far as their text or "
                    "tables give it, and what the committed tables of studies have. This page is "
                    "written by make docs, from studies/published.tsv and "
                    "docs/studies/NAME-figures.csv.");
    write_summary(w, p);
    fputs(w->html ? "<p>" : "", w->out);
    write_text(w, "Within 10% are also values inside a published range. Footprints are chosen as "
                  "the papers have them and count for nothing. The direction is right when a "
                  "ratio is on the published side of 1, or when what a text says in words holds. ");
    write_link(w, "How verdicts are made", "results.md#verdicts");
    fputs(w->html ? ".</p>\n" : ".\n\n", w->out);
    for (size_t i = 0; i < PAPER_COUNT; i++) {
        write_heading(w, 2, papers[i].title);
        write_compared(w, p, &papers[i]);
        write_missing(w, p, &papers[i]);
    }
}

void published_write_markdown(const published *p, FILE *out)
{
    write_page(&(writer){out, false}, p);
}

void published_write_html(const published *p, FILE *out)
{
    fprintf(out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>Published numbers beside ours \u00b7 warpwalk</title>\n<style>\n%s"
            "h2 { margin: 3rem 0 .5rem; }\n"
            ".data td { vertical-align: top; }\n</style>\n</head>\n<body>\n<main>\n",
            ww_embedded_find("data/report/page.css")->bytes);
    write_page(&(writer){out, true}, p);
    fputs("</main>\n</body>\n</html>\n", out);
}
