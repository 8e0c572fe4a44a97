/* GPIO character devices, second version of the interface (linux/gpio.h). */
#ifndef CKERNEL_GPIO_H
#define CKERNEL_GPIO_H

static const unsigned long CKERNEL_GPIO_GET_CHIPINFO = GPIO_GET_CHIPINFO_IOCTL;
static const unsigned long CKERNEL_GPIO_V2_GET_LINEINFO = GPIO_V2_GET_LINEINFO_IOCTL;
static const unsigned long CKERNEL_GPIO_V2_GET_LINE = GPIO_V2_GET_LINE_IOCTL;
static const unsigned long CKERNEL_GPIO_V2_LINE_GET_VALUES = GPIO_V2_LINE_GET_VALUES_IOCTL;
static const unsigned long CKERNEL_GPIO_V2_LINE_SET_VALUES = GPIO_V2_LINE_SET_VALUES_IOCTL;

#endif
