/* All that a database of results holds and that does not depend on the host, as text in a fixed
 * order. */
#ifndef WW_TESTS_STUDY_CONTENT_H
#define WW_TESTS_STUDY_CONTENT_H

/* NULL when it cannot be read. The caller frees it. */
char *study_content(const char *path);

#endif
