/* The work folder, DATABASE.work: files of outstanding runs, and a lock that keeps a second runner
 * out.
 *
 * script   NAME.sh, of runs that were submitted: as long as there is one, all files may be needed
 * result   NAME.json, always complete; it may be another study's, so it stays until
 *          its study stores it */
#ifndef WW_STUDY_WORK_FOLDER_H
#define WW_STUDY_WORK_FOLDER_H

#include "base/error.h"

typedef struct ww_work_folder {
    char *path;
    int lock; /* -1: not held */
} ww_work_folder;

/* Makes the folder of a database when there is none, and locks it. An error names the process that
 * holds the lock. Close it in all cases. */
int ww_work_folder_open(ww_work_folder *folder, const char *database, ww_errors *errors);
/* Whether the lock still keeps others out: not when the folder was removed. */
bool ww_work_folder_is_held(const ww_work_folder *folder);
/* Whether a script is there. */
bool ww_work_folder_has_scripts(const char *path);
/* Removes files that are no longer needed, and the folder when it is empty. */
void ww_work_folder_close(ww_work_folder *folder);

#endif
