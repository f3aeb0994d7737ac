#include "vm/driver.h"

#include "base/memory.h"

#include <assert.h>

struct ww_driver {
    ww_address_space **spaces; /* by identifier; NULL: there is none */
    uint32_t count;
    bool eager, managed;
    uint32_t together;
    ww_frames *frames;
};

ww_driver *ww_driver_create(const ww_driver_config *config)
{
    ww_driver *driver = ww_calloc(1, sizeof(*driver));
    driver->eager = config->eager;
    driver->managed = config->managed;
    driver->together = config->together ? config->together : 1;
    driver->frames = ww_frames_create(&config->frames);
    return driver;
}

void ww_driver_destroy(ww_driver *driver)
{
    if (!driver)
        return;
    for (uint32_t i = 0; i < driver->count; i++)
        ww_address_space_destroy(driver->spaces[i]);
    free(driver->spaces);
    ww_frames_destroy(driver->frames);
    free(driver);
}

bool ww_driver_add_space(ww_driver *driver, uint16_t asid)
{
    if (asid >= driver->count) {
        driver->spaces = ww_realloc(driver->spaces, asid + 1u, sizeof(*driver->spaces));
        while (driver->count <= asid)
            driver->spaces[driver->count++] = NULL;
    }
    assert(!driver->spaces[asid]);
    driver->spaces[asid] =
        ww_address_space_create(driver->frames, driver->managed, driver->together);
    return driver->spaces[asid] != NULL;
}

static inline ww_address_space *space_of(const ww_driver *driver, uint16_t asid)
{
    assert(asid < driver->count && driver->spaces[asid]);
    return driver->spaces[asid];
}

const ww_page_table *ww_driver_table(const ww_driver *driver, uint16_t asid)
{
    return ww_address_space_table(space_of(driver, asid));
}

bool ww_driver_add(ww_driver *driver, uint16_t asid, uint64_t address, uint64_t bytes)
{
    return ww_address_space_add(space_of(driver, asid), address, bytes, driver->eager);
}

void ww_driver_remove(ww_driver *driver, uint16_t asid, uint64_t address, uint64_t bytes)
{
    ww_address_space_remove(space_of(driver, asid), address, bytes);
}

bool ww_driver_has(const ww_driver *driver, uint16_t asid, uint64_t address)
{
    return ww_address_space_has(space_of(driver, asid), address);
}

void ww_driver_unmap(ww_driver *driver, uint16_t asid, uint64_t address)
{
    ww_address_space_unmap(space_of(driver, asid), address);
}

void ww_driver_release(ww_driver *driver, uint16_t asid, uint64_t address)
{
    ww_address_space_release(space_of(driver, asid), address);
}

void ww_driver_protect(ww_driver *driver, uint16_t asid, uint64_t address, uint64_t bytes,
                       bool writable)
{
    ww_address_space_protect(space_of(driver, asid), address, bytes, writable);
}

bool ww_driver_map(ww_driver *driver, uint16_t asid, uint64_t address, uint64_t bytes)
{
    uint64_t page = ww_frames_bytes(driver->frames), end = address + bytes;
    for (address -= address % page; address < end; address += page)
        if (!ww_address_space_map(space_of(driver, asid), address))
            return false;
    return true;
}

bool ww_driver_place(ww_driver *driver, uint16_t asid, uint64_t address)
{
    return ww_address_space_place(space_of(driver, asid), address);
}

bool ww_driver_enter(ww_driver *driver, uint16_t asid, uint64_t address)
{
    return ww_address_space_enter(space_of(driver, asid), address);
}

bool ww_driver_enter_host(ww_driver *driver, uint16_t asid, uint64_t address)
{
    return ww_address_space_enter_host(space_of(driver, asid), address);
}

uint64_t ww_driver_frame(const ww_driver *driver, uint16_t asid, uint64_t address)
{
    return ww_address_space_frame(space_of(driver, asid), address);
}

bool ww_driver_touch(ww_driver *driver, uint16_t asid, uint64_t address, uint64_t *physical)
{
    return ww_address_space_touch(space_of(driver, asid), address, physical);
}

static ww_mapped_address translate(const void *context, uint16_t asid, uint64_t address)
{
    return ww_address_space_translate(space_of(context, asid), address);
}

ww_mapping ww_driver_mapping(const ww_driver *driver)
{
    return (ww_mapping){.translate = translate, .context = driver};
}

uint64_t ww_driver_bytes(const ww_driver *driver)
{
    return ww_frames_allocated(driver->frames) * ww_frames_bytes(driver->frames);
}
