-- The database of results, version 2 (docs/results.md). Tables hold what happened; views answer questions.

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

-- All numbers of a run by name: statistics and those of the result itself.
CREATE VIEW measures AS
    SELECT run, stat_names.name AS name, value
        FROM stat_values JOIN stat_names ON stat_names.id = stat_values.name
    UNION ALL SELECT id, 'cycles', cycles FROM runs WHERE status = 'done'
    UNION ALL SELECT id, 'warp_instructions', warp_instructions FROM runs WHERE status = 'done'
    UNION ALL SELECT id, 'thread_instructions', thread_instructions FROM runs WHERE status = 'done'
    UNION ALL SELECT id, 'footprint', footprint FROM runs WHERE status = 'done'
    UNION ALL SELECT id, 'host_seconds', host_seconds FROM runs WHERE status = 'done'
    UNION ALL SELECT id, 'host_peak_bytes', host_peak_bytes FROM runs WHERE status = 'done';

-- What each point of each study gave. Nothing here depends on the host or on the order of runs.
CREATE VIEW results AS
    SELECT studies.name AS study, points.number, points.sweep, points.workload, runs.size, points.variant,
           points.axes, points.seed, runs.machine, runs.region, runs.status, runs.verified, runs.cycles,
           runs.warp_instructions, runs.thread_instructions, runs.footprint, runs.first_pass_cycles, runs.identity
        FROM points JOIN studies ON studies.id = points.study JOIN runs ON runs.id = points.run
        ORDER BY studies.name, points.number;

-- Every number of every point.
CREATE VIEW result_measures AS
    SELECT studies.name AS study, points.number, points.sweep, points.workload, points.variant, points.axes,
           points.seed, measures.name, measures.value
        FROM points JOIN studies ON studies.id = points.study JOIN measures ON measures.run = points.run;

-- Two variants at otherwise equal points: ratio is value / baseline_value.
CREATE VIEW comparisons AS
    SELECT studies.name AS study, a.sweep, a.workload, a.axes, a.seed, a.variant, b.variant AS baseline,
           stat.name, stat.value, base.value AS baseline_value, stat.value * 1.0 / base.value AS ratio
        FROM points a
        JOIN points b ON b.study = a.study AND b.sweep = a.sweep AND b.workload = a.workload AND b.axes = a.axes
            AND b.seed = a.seed AND b.variant <> a.variant
        JOIN studies ON studies.id = a.study
        JOIN measures stat ON stat.run = a.run
        JOIN measures base ON base.run = b.run AND base.name = stat.name;

-- Every key of every run.
CREATE VIEW settings AS
    SELECT runs.id AS run, json_each.key AS key, json_each.value AS value
        FROM runs JOIN configs ON configs.id = runs.config, json_each(configs.keys);

-- How far each study has come.
CREATE VIEW progress AS
    SELECT studies.name AS study, count(DISTINCT runs.id) AS runs,
           count(DISTINCT runs.id) FILTER (WHERE runs.status = 'done') AS done,
           count(DISTINCT runs.id) FILTER (WHERE runs.status = 'failed') AS failed
        FROM studies LEFT JOIN points ON points.study = studies.id LEFT JOIN runs ON runs.id = points.run
        GROUP BY studies.id ORDER BY studies.name;

CREATE VIEW failures AS
    SELECT studies.name AS study, points.number, points.workload, points.variant, points.axes, points.seed,
           runs.exit_status, runs.message, runs.command
        FROM points JOIN studies ON studies.id = points.study JOIN runs ON runs.id = points.run
        WHERE runs.status = 'failed' ORDER BY studies.name, points.number;
