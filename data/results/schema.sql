-- The database of results, version 6 (docs/results.md): what happened. The views, which answer questions, are in
-- views.sql.

-- What a run was made of and how it ended. A run is found by its identity, which covers all that its result
-- depends on, and by the build of warpwalk that made it.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL,
    build TEXT NOT NULL,
    version TEXT NOT NULL,
    workload TEXT NOT NULL,
    size TEXT NOT NULL,                -- as asked for; '' for a launch file
    machine TEXT NOT NULL,             -- as asked for
    region TEXT NOT NULL,              -- '' when all was timed
    seed INTEGER NOT NULL,
    command TEXT NOT NULL,             -- makes this run again
    status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'done', 'failed')),
    exit_status INTEGER,               -- of the process; 128 + signal when a signal ended it
    message TEXT,                      -- why it failed: the last lines that it wrote
    verified INTEGER,                  -- 1 right; NULL: there was nothing to verify, or only a part ran
    config INTEGER REFERENCES configs,
    parameters TEXT,                   -- of the workload, a JSON object
    cycles INTEGER,
    warp_instructions INTEGER,
    thread_instructions INTEGER,
    footprint INTEGER,                 -- bytes in buffers
    first_pass_cycles INTEGER,         -- where a policy needed a first pass
    host TEXT,                         -- where it ran, and how long: these differ from time to time
    finished TEXT,                     -- UTC
    host_seconds REAL,                 -- processor time in launches
    wall_seconds REAL,                 -- of the whole process
    host_peak_bytes INTEGER,
    started TEXT,                      -- UTC
    git_commit TEXT,                   -- of the program that made it; a '+' behind it: with changes
    UNIQUE (identity, build)
);
CREATE INDEX runs_by_workload ON runs (workload, size, region);

-- Resolved configurations: every key with its value, a JSON object. Runs share them.
CREATE TABLE configs (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    keys TEXT NOT NULL
);

CREATE TABLE stat_names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE stat_values (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    name INTEGER NOT NULL REFERENCES stat_names,
    value NUMERIC,
    PRIMARY KEY (run, name)
) WITHOUT ROWID;

-- Launches of a run, summed by entry.
CREATE TABLE kernels (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    entry TEXT NOT NULL,
    launches INTEGER NOT NULL,
    cycles INTEGER,
    warp_instructions INTEGER NOT NULL,
    thread_instructions INTEGER NOT NULL,
    PRIMARY KEY (run, entry)
) WITHOUT ROWID;

-- Numbers over the time of a run, in equal bins of `cycles`: a JSON array of numbers for each name.
CREATE TABLE series (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    name TEXT NOT NULL,
    cycles INTEGER NOT NULL,
    bins TEXT NOT NULL,
    PRIMARY KEY (run, name)
) WITHOUT ROWID;

-- Lists of a run's result: `reuse` (reuse distances by instruction, with l1d.reuse_distance), `warps` and `waves` (with a
-- first pass). An entry is a JSON object, as in the result.
CREATE TABLE lists (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    name TEXT NOT NULL,
    number INTEGER NOT NULL,           -- from 0, in the order of the result
    entry TEXT NOT NULL,
    PRIMARY KEY (run, name, number)
) WITHOUT ROWID;

-- A study as it was when it last began; its figures are made from the text.
CREATE TABLE studies (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    doc TEXT NOT NULL,
    file TEXT NOT NULL,
    text TEXT NOT NULL,
    asked_size TEXT                    -- --size; NULL: the study's own
);

-- The points of a study, with the run that each needs. Points that mean the same share a run.
CREATE TABLE points (
    study INTEGER NOT NULL REFERENCES studies ON DELETE CASCADE,
    number INTEGER NOT NULL,
    sweep TEXT NOT NULL,
    workload TEXT NOT NULL,            -- the study's label for it
    variant TEXT NOT NULL,
    axes TEXT NOT NULL,                -- a JSON object: axis to label
    seed INTEGER NOT NULL,
    run INTEGER NOT NULL REFERENCES runs,
    PRIMARY KEY (study, number)
) WITHOUT ROWID;
CREATE INDEX points_by_run ON points (run);
CREATE INDEX points_by_place ON points (study, sweep, workload, axes, seed, variant);

-- Published values, as the study gives them.
CREATE TABLE published (
    study INTEGER NOT NULL REFERENCES studies ON DELETE CASCADE,
    figure TEXT NOT NULL,
    row TEXT NOT NULL,
    "column" TEXT NOT NULL,
    value REAL,
    low REAL,
    high REAL,
    source TEXT NOT NULL,
    note TEXT NOT NULL
);
