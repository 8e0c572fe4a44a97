/*
 * What Swift cannot import: ioctl request numbers (macros with casts), variadic functions, and instructions.
 *
 * _GNU_SOURCE must not be defined here: types such as fd_set would then differ from those that Swift's own module of the
 * C library has, and whether a build fails would depend on which of the two is read first. What needs it stands in .c files.
 */
#ifndef CKERNEL_H
#define CKERNEL_H

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/gpio.h>
#include <linux/input.h>
#include <linux/media.h>
#include <linux/udmabuf.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <unistd.h>

#include "crc32c.h"
#include "descriptor.h"
#include "evdev.h"
#include "gpio.h"
#include "leave.h"
#include "light_guard.h"
#include "memory.h"
#include "privilege.h"
#include "process.h"
#include "socket.h"
#include "thread.h"
#include "v4l2.h"
#include "volume.h"

#endif
