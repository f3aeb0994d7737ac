/* What OpenCL 3.0 makes optional and this device does not have: images, samplers, pipes, and
 * sharing with graphics. Every function answers as the specification says for a device without
 * it. */
#include "ocl/absent.h"

#include "ocl/event.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static cl_int of_context(cl_context context)
{
    WW_CL_ENTER;
    return ww_cl_is(context, WW_CL_CONTEXT) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
}

static cl_int of_queue(cl_command_queue queue)
{
    WW_CL_ENTER;
    return ww_cl_is(queue, WW_CL_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

/* ---- images ---- */

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format *format, const cl_image_desc *description,
                                 void *host_ptr, cl_int *code)
{
    return ww_cl_none(code, of_context(context));
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                               const cl_mem_properties *properties,
                                               cl_mem_flags flags, const cl_image_format *format,
                                               const cl_image_desc *description, void *host_ptr,
                                               cl_int *code)
{
    return ww_cl_none(code, of_context(context));
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *format, size_t width, size_t height,
                                   size_t pitch, void *host_ptr, cl_int *code)
{
    return ww_cl_none(code, of_context(context));
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *format, size_t width, size_t height,
                                   size_t depth, size_t row_pitch, size_t slice_pitch,
                                   void *host_ptr, cl_int *code)
{
    return ww_cl_none(code, of_context(context));
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type type, cl_uint room,
                                              cl_image_format *formats, cl_uint *count)
{
    WW_CL_ENTER;
    if (!ww_cl_is(context, WW_CL_CONTEXT))
        return CL_INVALID_CONTEXT;
    if (type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER ||
        (formats && room == 0))
        return CL_INVALID_VALUE;
    if (count)
        *count = 0;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info name, size_t room, void *value,
                                  size_t *size)
{
    return CL_INVALID_MEM_OBJECT;
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                      const size_t *origin, const size_t *region, size_t row_pitch,
                                      size_t slice_pitch, void *host, cl_uint count,
                                      const cl_event *list, cl_event *event)
{
    return of_queue(queue);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                       const size_t *origin, const size_t *region, size_t row_pitch,
                                       size_t slice_pitch, const void *host, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
    return of_queue(queue);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *colour,
                                      const size_t *origin, const size_t *region, cl_uint count,
                                      const cl_event *list, cl_event *event)
{
    return of_queue(queue);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to,
                                      const size_t *from_origin, const size_t *to_origin,
                                      const size_t *region, cl_uint count, const cl_event *list,
                                      cl_event *event)
{
    return of_queue(queue);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem mem,
                                              const size_t *origin, const size_t *region,
                                              size_t offset, cl_uint count, const cl_event *list,
                                              cl_event *event)
{
    return of_queue(queue);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem mem, cl_mem image,
                                              size_t offset, const size_t *origin,
                                              const size_t *region, cl_uint count,
                                              const cl_event *list, cl_event *event)
{
    return of_queue(queue);
}

void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                    cl_map_flags flags, const size_t *origin, const size_t *region,
                                    size_t *row_pitch, size_t *slice_pitch, cl_uint count,
                                    const cl_event *list, cl_event *event, cl_int *code)
{
    return ww_cl_none(code, of_queue(queue));
}

/* ---- samplers ---- */

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized,
                                       cl_addressing_mode addressing, cl_filter_mode filter,
                                       cl_int *code)
{
    return ww_cl_none(code, of_context(context));
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties *properties,
                                                     cl_int *code)
{
    return ww_cl_none(code, of_context(context));
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler)
{
    return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler)
{
    return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info name, size_t room,
                                    void *value, size_t *size)
{
    return CL_INVALID_SAMPLER;
}

/* ---- pipes ---- */

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                cl_uint packets, const cl_pipe_properties *properties, cl_int *code)
{
    return ww_cl_none(code, of_context(context));
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info name, size_t room, void *value,
                                 size_t *size)
{
    return CL_INVALID_MEM_OBJECT;
}

/* ---- sharing with OpenGL and EGL ---- */

cl_mem CL_API_CALL clCreateFromGLBuffer(cl_context context, cl_mem_flags flags, cl_GLuint object,
                                        cl_int *code)
{
    return ww_cl_none(code, CL_INVALID_CONTEXT);
}

cl_mem CL_API_CALL clCreateFromGLTexture(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                         cl_GLint level, cl_GLuint texture, cl_int *code)
{
    return ww_cl_none(code, CL_INVALID_CONTEXT);
}

cl_mem CL_API_CALL clCreateFromGLTexture2D(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                           cl_GLint level, cl_GLuint texture, cl_int *code)
{
    return ww_cl_none(code, CL_INVALID_CONTEXT);
}

cl_mem CL_API_CALL clCreateFromGLTexture3D(cl_context context, cl_mem_flags flags, cl_GLenum target,
                                           cl_GLint level, cl_GLuint texture, cl_int *code)
{
    return ww_cl_none(code, CL_INVALID_CONTEXT);
}

cl_mem CL_API_CALL clCreateFromGLRenderbuffer(cl_context context, cl_mem_flags flags,
                                              cl_GLuint renderbuffer, cl_int *code)
{
    return ww_cl_none(code, CL_INVALID_CONTEXT);
}

cl_int CL_API_CALL clGetGLObjectInfo(cl_mem mem, cl_gl_object_type *type, cl_GLuint *name)
{
    WW_CL_ENTER;
    return ww_cl_is(mem, WW_CL_MEM) ? CL_INVALID_GL_OBJECT : CL_INVALID_MEM_OBJECT;
}

cl_int CL_API_CALL clGetGLTextureInfo(cl_mem mem, cl_gl_texture_info name, size_t room, void *value,
                                      size_t *size)
{
    WW_CL_ENTER;
    return ww_cl_is(mem, WW_CL_MEM) ? CL_INVALID_GL_OBJECT : CL_INVALID_MEM_OBJECT;
}

cl_int CL_API_CALL clEnqueueAcquireGLObjects(cl_command_queue queue, cl_uint mem_count,
                                             const cl_mem *mems, cl_uint count,
                                             const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    return ww_cl_is(queue, WW_CL_QUEUE) ? CL_INVALID_CONTEXT : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL clEnqueueReleaseGLObjects(cl_command_queue queue, cl_uint mem_count,
                                             const cl_mem *mems, cl_uint count,
                                             const cl_event *list, cl_event *event)
{
    WW_CL_ENTER;
    return ww_cl_is(queue, WW_CL_QUEUE) ? CL_INVALID_CONTEXT : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL clGetGLContextInfoKHR(const cl_context_properties *properties,
                                         cl_gl_context_info name, size_t room, void *value,
                                         size_t *size)
{
    return CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR;
}

cl_event ww_cl_create_gl_sync(cl_context context, cl_GLsync sync, cl_int *code)
{
    return ww_cl_none(code, CL_INVALID_CONTEXT);
}

cl_mem ww_cl_create_egl_image(cl_context context, CLeglDisplayKHR display, CLeglImageKHR image,
                              cl_mem_flags flags, const cl_egl_image_properties_khr *properties,
                              cl_int *code)
{
    return ww_cl_none(code, of_context(context));
}

cl_event ww_cl_create_egl_sync(cl_context context, CLeglSyncKHR sync, CLeglDisplayKHR display,
                               cl_int *code)
{
    return ww_cl_none(code, of_context(context));
}

cl_int ww_cl_enqueue_egl(cl_command_queue queue, cl_uint mem_count, const cl_mem *mems,
                         cl_uint count, const cl_event *list, cl_event *event)
{
    return of_queue(queue);
}

/* ---- the partition of devices before it was part of OpenCL ---- */

cl_int ww_cl_create_sub_devices(cl_device_id device,
                                const cl_device_partition_property_ext *properties, cl_uint room,
                                cl_device_id *devices, cl_uint *count)
{
    return clCreateSubDevices(device, NULL, room, devices, count);
}

cl_int ww_cl_refuse(void)
{
    return CL_INVALID_OPERATION;
}
