/* Input devices (linux/input.h): request numbers with a length in them, and the time of an event. */
#ifndef CKERNEL_EVDEV_H
#define CKERNEL_EVDEV_H

/* Bytes of a field with a bit for each key. */
enum { CKERNEL_KEY_BYTES = KEY_CNT / 8 };
/* Bytes of a name, its NUL included. */
enum { CKERNEL_INPUT_NAME_BYTES = 256 };

static const unsigned long CKERNEL_EVIOCGNAME = EVIOCGNAME(CKERNEL_INPUT_NAME_BYTES);
static const unsigned long CKERNEL_EVIOCGPHYS = EVIOCGPHYS(CKERNEL_INPUT_NAME_BYTES);
/* Which keys a device has. */
static const unsigned long CKERNEL_EVIOCGBIT_KEY = EVIOCGBIT(EV_KEY, CKERNEL_KEY_BYTES);
/* Which keys are down now. */
static const unsigned long CKERNEL_EVIOCGKEY = EVIOCGKEY(CKERNEL_KEY_BYTES);
static const unsigned long CKERNEL_EVIOCSCLOCKID = EVIOCSCLOCKID;

/* Takes a device for this descriptor alone: 0, or -1 with errno EBUSY where another has it. The argument is a number. */
static inline int ckernel_grab_input(int descriptor) { return ioctl(descriptor, EVIOCGRAB, 1); }

/* The names of the two parts of the time differ between systems. */
static inline int64_t ckernel_input_nanoseconds(const struct input_event *event)
{
	return (int64_t)event->input_event_sec * 1000000000 + (int64_t)event->input_event_usec * 1000;
}

#endif
