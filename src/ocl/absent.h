/* Functions of extensions that the device does not have, for the table of functions. */
#ifndef WW_OCL_ABSENT_H
#define WW_OCL_ABSENT_H

#include "ocl/ocl.h"

cl_event CL_API_CALL ww_cl_create_gl_sync(cl_context context, cl_GLsync sync, cl_int *code);
cl_mem CL_API_CALL ww_cl_create_egl_image(cl_context context, CLeglDisplayKHR display,
                                          CLeglImageKHR image, cl_mem_flags flags,
                                          const cl_egl_image_properties_khr *properties,
                                          cl_int *code);
cl_event CL_API_CALL ww_cl_create_egl_sync(cl_context context, CLeglSyncKHR sync,
                                           CLeglDisplayKHR display, cl_int *code);
cl_int CL_API_CALL ww_cl_enqueue_egl(cl_command_queue queue, cl_uint mem_count, const cl_mem *mems,
                                     cl_uint count, const cl_event *list, cl_event *event);
cl_int CL_API_CALL ww_cl_create_sub_devices(cl_device_id device,
                                            const cl_device_partition_property_ext *properties,
                                            cl_uint room, cl_device_id *devices, cl_uint *count);
cl_int CL_API_CALL ww_cl_refuse(void); /* of Windows: no one knows its arguments here */

#endif
