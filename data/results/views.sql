-- The views of the database of results (docs/results.md), made anew for every version.

-- Numbers of a run that are not statistics.
DROP VIEW IF EXISTS run_numbers;
CREATE VIEW run_numbers AS
    SELECT id AS run, column1 AS name,
           CASE column1 WHEN 'cycles' THEN cycles WHEN 'warp_instructions' THEN warp_instructions
                WHEN 'thread_instructions' THEN thread_instructions WHEN 'footprint' THEN footprint
                WHEN 'host_seconds' THEN host_seconds ELSE host_peak_bytes END AS value
        FROM runs, (VALUES ('cycles'), ('warp_instructions'), ('thread_instructions'), ('footprint'),
                           ('host_seconds'), ('host_peak_bytes'))
        WHERE status = 'done';

-- All numbers of a run by name: statistics and those of the result itself.
DROP VIEW IF EXISTS measures;
CREATE VIEW measures AS
    SELECT run, stat_names.name AS name, value FROM stat_values JOIN stat_names ON stat_names.id = stat_values.name
    UNION ALL SELECT run, name, value FROM run_numbers;

-- What each point of each study gave. Nothing here depends on the host or on the order of runs.
DROP VIEW IF EXISTS results;
CREATE VIEW results AS
    SELECT studies.name AS study, points.number, points.sweep, points.workload, runs.size, points.variant,
           points.axes, points.seed, runs.machine, runs.region, runs.status, runs.verified, runs.cycles,
           runs.warp_instructions, runs.thread_instructions, runs.footprint, runs.first_pass_cycles, runs.identity
        FROM points JOIN studies ON studies.id = points.study JOIN runs ON runs.id = points.run
        ORDER BY studies.name, points.number;

-- Every number of every point. Here and in `comparisons` statistics and other numbers are parts of their own, so that
-- each finds its rows by their keys.
DROP VIEW IF EXISTS result_measures;
CREATE VIEW result_measures AS
    SELECT studies.name AS study, points.number, points.sweep, points.workload, points.variant, points.axes,
           points.seed, stat_names.name, value
        FROM stat_names, studies JOIN points ON points.study = studies.id CROSS JOIN stat_values
        WHERE stat_values.run = points.run AND stat_values.name = stat_names.id
    UNION ALL
    SELECT studies.name, points.number, points.sweep, points.workload, points.variant, points.axes, points.seed,
           run_numbers.name, value
        FROM studies JOIN points ON points.study = studies.id CROSS JOIN run_numbers WHERE run_numbers.run = points.run;

-- Two variants at otherwise equal points, and their runs.
DROP VIEW IF EXISTS pairs;
CREATE VIEW pairs AS
    SELECT studies.name AS study, a.sweep, a.workload, a.axes, a.seed, a.variant, b.variant AS baseline, a.run,
           b.run AS baseline_run
        FROM studies JOIN points a ON a.study = studies.id
        JOIN points b ON b.study = a.study AND b.sweep = a.sweep AND b.workload = a.workload AND b.axes = a.axes
            AND b.seed = a.seed AND b.variant <> a.variant;

-- Every number of both: ratio is value / baseline_value.
DROP VIEW IF EXISTS comparisons;
CREATE VIEW comparisons AS
    SELECT study, sweep, workload, axes, seed, variant, baseline, stat_names.name, stat.value,
           base.value AS baseline_value, stat.value * 1.0 / base.value AS ratio
        FROM stat_names, pairs CROSS JOIN stat_values stat CROSS JOIN stat_values base
        WHERE stat.run = pairs.run AND stat.name = stat_names.id AND base.run = baseline_run AND base.name = stat.name
    UNION ALL
    SELECT study, sweep, workload, axes, seed, variant, baseline, stat.name, stat.value, base.value,
           stat.value * 1.0 / base.value
        FROM pairs CROSS JOIN run_numbers stat CROSS JOIN run_numbers base
        WHERE stat.run = pairs.run AND base.run = baseline_run AND base.name = stat.name;

-- Every key of every run.
DROP VIEW IF EXISTS settings;
CREATE VIEW settings AS
    SELECT runs.id AS run, json_each.key AS key, json_each.value AS value
        FROM runs JOIN configs ON configs.id = runs.config, json_each(configs.keys);

-- How far each study has come.
DROP VIEW IF EXISTS progress;
CREATE VIEW progress AS
    SELECT studies.name AS study, count(DISTINCT runs.id) AS runs,
           count(DISTINCT runs.id) FILTER (WHERE runs.status = 'done') AS done,
           count(DISTINCT runs.id) FILTER (WHERE runs.status = 'failed') AS failed
        FROM studies LEFT JOIN points ON points.study = studies.id LEFT JOIN runs ON runs.id = points.run
        GROUP BY studies.id ORDER BY studies.name;

DROP VIEW IF EXISTS failures;
CREATE VIEW failures AS
    SELECT studies.name AS study, points.number, points.workload, points.variant, points.axes, points.seed,
           runs.exit_status, runs.message, runs.command
        FROM points JOIN studies ON studies.id = points.study JOIN runs ON runs.id = points.run
        WHERE runs.status = 'failed' ORDER BY studies.name, points.number;
