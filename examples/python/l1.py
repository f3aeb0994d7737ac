# What does a larger L1 do for two programs, under two schedulers?
import warpwalk

rows = warpwalk.sweep(["spmv", "backprop"], machine="gtx480-cawa", size="tiny",
                      set={"core.scheduler": ["rr", "gto"], "l1d.size": ["16KiB", "32KiB"]},
                      stats=["l1d.misses"], frame=False)
cycles = {(row["workload"], row["core.scheduler"], row["l1d.size"]): row["cycles"] for row in rows}
for workload, scheduler, size in cycles:
    if size == "32KiB":
        small = cycles[workload, scheduler, "16KiB"]
        print(f"{workload:8} {scheduler:3} {small / cycles[workload, scheduler, size]:.3f}")
