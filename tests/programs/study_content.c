/* study_content DATABASE: what the database of a study holds, for scripts that compare two. */
#include "support/study_content.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *text = argc == 2 ? study_content(argv[1]) : NULL;
    if (!text) {
        fprintf(stderr, "usage: study_content DATABASE\n");
        return 2;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}
