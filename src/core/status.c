/* SPDX-License-Identifier: Apache-2.0 */
/* Names and sentences of every status, and the thread's last error. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/log.h"

struct status_text {
    const char *name;
    const char *sentence;
};

static const struct status_text status_texts[] = {
    [CONSORT_OK] = {"CONSORT_OK", "success"},
    [CONSORT_ERROR_ARGUMENT] = {"CONSORT_ERROR_ARGUMENT", "an argument is invalid"},
    [CONSORT_ERROR_UNSUPPORTED] = {"CONSORT_ERROR_UNSUPPORTED", "the request is not supported"},
    [CONSORT_ERROR_MEMORY] = {"CONSORT_ERROR_MEMORY", "out of host memory"},
    [CONSORT_ERROR_DEVICE_MEMORY] = {"CONSORT_ERROR_DEVICE_MEMORY", "out of device memory"},
    [CONSORT_ERROR_WORKSPACE] = {"CONSORT_ERROR_WORKSPACE", "the workspace is too small"},
    [CONSORT_ERROR_OVERLAP] = {"CONSORT_ERROR_OVERLAP", "arrays overlap that must not"},
    [CONSORT_ERROR_ALIGNMENT] = {"CONSORT_ERROR_ALIGNMENT", "a pointer is misaligned"},
    [CONSORT_ERROR_OFFSETS] = {"CONSORT_ERROR_OFFSETS",
                               "segment offsets are out of order or range"},
    [CONSORT_ERROR_CANCELLED] = {"CONSORT_ERROR_CANCELLED", "the run was cancelled"},
    [CONSORT_ERROR_NO_DEVICE] = {"CONSORT_ERROR_NO_DEVICE", "there is no such GPU"},
    [CONSORT_ERROR_NO_KERNEL] = {"CONSORT_ERROR_NO_KERNEL",
                                 "this build has no kernels for the GPU's architecture"},
    [CONSORT_ERROR_DRIVER] = {"CONSORT_ERROR_DRIVER", "a GPU driver call failed"},
    [CONSORT_ERROR_DEVICE_LOST] = {"CONSORT_ERROR_DEVICE_LOST",
                                   "the GPU was lost with what was in its memory"},
    [CONSORT_ERROR_CAPTURE] = {"CONSORT_ERROR_CAPTURE", "not allowed during stream capture"},
    [CONSORT_ERROR_SYSTEM] = {"CONSORT_ERROR_SYSTEM", "the operating system refused"},
    [CONSORT_ERROR_INTERNAL] = {"CONSORT_ERROR_INTERNAL", "a bug in consort"},
};

static _Thread_local char status_message[STATUS_MESSAGE_BYTES];
static _Thread_local consort_error status_last = {.input_whole = 1, .message = ""};

static const struct status_text *status_text_of(consort_status status)
{
    if (status < 0 || (size_t)status >= sizeof status_texts / sizeof status_texts[0])
        return NULL;
    return &status_texts[status];
}

const char *consort_status_name(consort_status status)
{
    const struct status_text *text = status_text_of(status);
    return text ? text->name : "CONSORT_ERROR_?";
}

const char *consort_status_string(consort_status status)
{
    const struct status_text *text = status_text_of(status);
    return text ? text->sentence : "unknown status";
}

const consort_error *consort_last_error(void)
{
    return &status_last;
}

static consort_status status_record(consort_status status, int os_error, int driver_error,
                                    const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

static consort_status status_record(consort_status status, int os_error, int driver_error,
                                    const char *format, va_list arguments)
{
    int length = vsnprintf(status_message, sizeof status_message, format, arguments);
    if (os_error != 0 && length >= 0 && (size_t)length < sizeof status_message) {
        char text[128];
        if (strerror_r(os_error, text, sizeof text) != 0)
            snprintf(text, sizeof text, "error %d", os_error);
        snprintf(status_message + length, sizeof status_message - (size_t)length, ": %s", text);
    }
    status_last = (consort_error){.status = status,
                                  .os_error = os_error,
                                  .driver_error = driver_error,
                                  .input_whole = 1,
                                  .message = status_message};
    log_write(LOG_ERROR, "%s: %s", consort_status_name(status), status_message);
    return status;
}

consort_status status_fail(consort_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status_record(status, 0, 0, format, arguments);
    va_end(arguments);
    return status;
}

consort_status status_fail_os(consort_status status, int os_error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status_record(status, os_error, 0, format, arguments);
    va_end(arguments);
    return status;
}

consort_status status_fail_driver(consort_status status, int driver_error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status_record(status, 0, driver_error, format, arguments);
    va_end(arguments);
    return status;
}

void status_keep(struct status_kept *kept)
{
    *kept = (struct status_kept){.status = status_last.status,
                                 .os_error = status_last.os_error,
                                 .driver_error = status_last.driver_error,
                                 .input_whole = status_last.input_whole};
    snprintf(kept->message, sizeof kept->message, "%s", status_message);
}

void status_restore(const struct status_kept *kept)
{
    snprintf(status_message, sizeof status_message, "%s", kept->message);
    status_last = (consort_error){.status = kept->status,
                                  .os_error = kept->os_error,
                                  .driver_error = kept->driver_error,
                                  .input_whole = kept->input_whole,
                                  .message = status_message};
}

consort_status status_tell(const struct status_kept *kept)
{
    status_fail_driver(kept->status, kept->driver_error, "%s", kept->message);
    status_restore(kept);
    return kept->status;
}

void status_input_damaged(const char *what)
{
    size_t length = strlen(status_message);
    snprintf(status_message + length, sizeof status_message - length, "; %s", what);
    status_last.input_whole = 0;
}

bool status_blames_device(consort_status status)
{
    return status == CONSORT_ERROR_DEVICE_MEMORY || status == CONSORT_ERROR_NO_DEVICE ||
           status == CONSORT_ERROR_NO_KERNEL || status == CONSORT_ERROR_DRIVER ||
           status == CONSORT_ERROR_DEVICE_LOST;
}
