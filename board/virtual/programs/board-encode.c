// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A plain user of a V4L2 stateful encoder. It says what it is given: a line for each coded buffer, so that a test can
 * tell what the device does. Without arguments it says what it can be asked.
 */
#include "board-encode-device.h"

#define TICK_US 33333

static unsigned int width, height, frames, force_at = ~0u, limit_ms = 5000;
static bool lockstep, bars, quiet;
static FILE *input, *output;

static void usage(void)
{
	puts("usage: board-encode DEVICE FOURCC WIDTHxHEIGHT PICTURES [OPTION]...\n"
	     "  -i FILE         raw pictures without padding; else colour bars\n"
	     "                  of which a tenth changes from picture to picture\n"
	     "  -o FILE         where the coded stream goes\n"
	     "  -c ID=VALUE     sets a control (the number of V4L2_CID_*)\n"
	     "  -x WxH+X+Y      codes only a part\n"
	     "  -r N/D          pictures a second\n"
	     "  -k NUMBER       asks for a key frame just before this picture\n"
	     "  -l              hands a picture over when the last one is done\n"
	     "  -n              codes all of it once more after STOP and START\n"
	     "  -q              says nothing of single buffers, but the speed\n"
	     "  -t MS           gives up when nothing comes for so long (5000)");
	exit(WRONG_USAGE);
}

static void set_control(unsigned int id, int value)
{
	struct v4l2_control setting = { .id = id, .value = value };

	control(VIDIOC_S_CTRL, &setting, "VIDIOC_S_CTRL");
}

static void set_crop(const char *text)
{
	struct v4l2_selection selection = {
		.type = V4L2_BUF_TYPE_VIDEO_OUTPUT,
		.target = V4L2_SEL_TGT_CROP,
	};
	struct v4l2_rect *r = &selection.r;

	if (sscanf(text, "%ux%u+%d+%d", &r->width, &r->height, &r->left,
		   &r->top) != 4)
		usage();
	control(VIDIOC_S_SELECTION, &selection, "VIDIOC_S_SELECTION");
	printf("crop %ux%u+%d+%d\n", r->width, r->height, r->left, r->top);
}

static void set_rate(const char *text)
{
	struct v4l2_streamparm parm = { .type = raw.type };
	struct v4l2_fract *interval = &parm.parm.output.timeperframe;

	if (sscanf(text, "%u/%u", &interval->denominator,
		   &interval->numerator) != 2)
		usage();
	control(VIDIOC_S_PARM, &parm, "VIDIOC_S_PARM");
}

static unsigned int line_of(unsigned int plane)
{
	return mplane ? raw_format.fmt.pix_mp.plane_fmt[plane].bytesperline :
			raw_format.fmt.pix.bytesperline;
}

static void set_format(const char *fourcc)
{
	unsigned int code = v4l2_fourcc(fourcc[0], fourcc[1], fourcc[2],
					fourcc[3]);

	raw_format.type = raw.type;
	if (mplane) {
		raw_format.fmt.pix_mp.width = width;
		raw_format.fmt.pix_mp.height = height;
		raw_format.fmt.pix_mp.pixelformat = code;
	} else {
		raw_format.fmt.pix.width = width;
		raw_format.fmt.pix.height = height;
		raw_format.fmt.pix.pixelformat = code;
	}
	control(VIDIOC_S_FMT, &raw_format, "VIDIOC_S_FMT");
	if (raw_format.fmt.pix.width != width ||
	    raw_format.fmt.pix.height != height ||
	    raw_format.fmt.pix.pixelformat != code) {
		puts("VIDIOC_S_FMT: another format or size");
		exit(FAILED);
	}
	raw.planes = mplane ? raw_format.fmt.pix_mp.num_planes : 1;
	coded.planes = 1;
	printf("stride %u\n", line_of(0));
}

/* --- pictures --- */

static unsigned char *row_at(unsigned int index, unsigned int plane,
			     unsigned int row, size_t before)
{
	if (raw.planes > 1)
		return (unsigned char *)raw.memory[index][plane] +
		       row * line_of(plane);
	return (unsigned char *)raw.memory[index][0] + before;
}

struct shape {
	unsigned int planes, bytes[PLANES_MAX], rows[PLANES_MAX];
	unsigned int divisor[PLANES_MAX];
};

static struct shape shape_of_format(void)
{
	unsigned int code = raw_format.fmt.pix.pixelformat;

	switch (code) {
	case V4L2_PIX_FMT_NV12:
	case V4L2_PIX_FMT_NV12M:
		return (struct shape){ 2, { width, width },
				       { height, height / 2 }, { 1, 1 } };
	case V4L2_PIX_FMT_YUV420:
	case V4L2_PIX_FMT_YUV420M:
		return (struct shape){ 3, { width, width / 2, width / 2 },
				       { height, height / 2, height / 2 },
				       { 1, 2, 2 } };
	case V4L2_PIX_FMT_YUYV:
	case V4L2_PIX_FMT_UYVY:
		return (struct shape){ 1, { 2 * width }, { height }, { 1 } };
	default:
		return (struct shape){ 1, { 4 * width }, { height }, { 1 } };
	}
}

/* Bars stand still; a band of a tenth of the lines has a new number in it. */
static void draw(unsigned char *row, unsigned int bytes, unsigned int line,
		 unsigned int lines, unsigned int number, bool whole)
{
	bool band = line >= lines / 2 && line < lines / 2 + lines / 10;
	unsigned int i;

	if (band)
		memset(row, 16 + (number * 7 + line / 16) % 200, bytes);
	else if (whole)
		for (i = 0; i < bytes; i++)
			row[i] = 16 + i * 8 / bytes * 27;
}

static void fill(unsigned int index, unsigned int number, bool whole)
{
	struct shape shape = shape_of_format();
	unsigned int plane, row;
	size_t before = 0;

	for (plane = 0; plane < shape.planes; plane++) {
		for (row = 0; row < shape.rows[plane]; row++) {
			unsigned char *to = row_at(index, plane, row, before);

			if (bars)
				draw(to, shape.bytes[plane], row,
				     shape.rows[plane], number, whole);
			else if (fread(to, 1, shape.bytes[plane], input) !=
				 shape.bytes[plane])
				fail("too few raw pictures");
			before += line_of(0) / shape.divisor[plane];
		}
	}
}

/* --- coding --- */

static void queue(struct side *side, unsigned int index, unsigned int number)
{
	struct v4l2_plane planes[PLANES_MAX];
	struct v4l2_buffer buffer;
	unsigned int i;

	begin_buffer(side, &buffer, planes, index);
	buffer.field = V4L2_FIELD_NONE;
	if (side == &raw) {
		unsigned long long time = (number + 1ULL) * TICK_US;

		buffer.timestamp.tv_sec = time / 1000000;
		buffer.timestamp.tv_usec = time % 1000000;
		buffer.bytesused = side->size[index][0];
		for (i = 0; i < side->planes; i++)
			planes[i].bytesused = side->size[index][i];
	}
	control(VIDIOC_QBUF, &buffer, "VIDIOC_QBUF");
	side->busy++;
}

static void print_units(const unsigned char *data, size_t size)
{
	const char *comma = "";
	size_t i;

	for (i = 0; i + 4 < size; i++)
		if (!data[i] && !data[i + 1] && !data[i + 2] &&
		    data[i + 3] == 1) {
			printf("%s%d", comma, data[i + 4] & 31);
			comma = ",";
		}
}

static bool take_coded(const struct v4l2_buffer *buffer,
		       const struct v4l2_plane *planes)
{
	size_t size = mplane ? planes[0].bytesused : buffer->bytesused;
	const unsigned char *data = coded.memory[buffer->index][0];

	if (output && fwrite(data, 1, size, output) != size)
		fail("output");
	if (quiet)
		return buffer->flags & V4L2_BUF_FLAG_LAST;
	printf("coded %u number %lld bytes %zu units ", buffer->sequence,
	       (buffer->timestamp.tv_sec * 1000000LL +
		buffer->timestamp.tv_usec) / TICK_US - 1, size);
	print_units(data, size);
	printf("%s%s%s%s\n",
	       buffer->flags & V4L2_BUF_FLAG_KEYFRAME ? " key" : "",
	       buffer->flags & V4L2_BUF_FLAG_PFRAME ? " p" : "",
	       buffer->flags & V4L2_BUF_FLAG_ERROR ? " error" : "",
	       buffer->flags & V4L2_BUF_FLAG_LAST ? " last" : "");
	return buffer->flags & V4L2_BUF_FLAG_LAST;
}

static void command(unsigned int what)
{
	struct v4l2_encoder_cmd command = { .cmd = what };

	control(VIDIOC_ENCODER_CMD, &command, "VIDIOC_ENCODER_CMD");
}

static void hand_over(unsigned int index, unsigned int number, bool first)
{
	if (number == force_at)
		set_control(V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME, 1);
	fill(index, number, first);
	queue(&raw, index, number);
}

static void code_all(unsigned int first, bool fresh)
{
	unsigned int free[BUFFERS_MAX], free_count = 0, next = first;
	unsigned int end = first + frames, i;
	bool stopped = false, last = false;
	struct v4l2_plane planes[PLANES_MAX];
	struct v4l2_buffer buffer;

	for (i = 0; i < (lockstep ? 1 : raw.count); i++)
		free[free_count++] = i;
	while (!last) {
		struct pollfd poller = { .fd = device, .events = POLLIN };

		while (free_count && next < end) {
			hand_over(free[--free_count], next,
				  fresh && next - first < raw.count);
			next++;
		}
		if (next == end && !stopped) {
			command(V4L2_ENC_CMD_STOP);
			stopped = true;
		}
		if (raw.busy && next < end)
			poller.events |= POLLOUT;
		if (!poll(&poller, 1, limit_ms)) {
			puts("nothing comes");
			stream(false);
			exit(TIMED_OUT);
		}
		while (dequeue(&raw, &buffer, planes))
			free[free_count++] = buffer.index;
		while (!last && dequeue(&coded, &buffer, planes)) {
			last = take_coded(&buffer, planes);
			queue(&coded, buffer.index, 0);
		}
	}
	while (dequeue(&raw, &buffer, planes))
		;
}

struct wishes {
	const char *crop, *rate;
	bool again;
};

static FILE *open_file(const char *path, const char *mode)
{
	FILE *file = fopen(path, mode);

	if (!file)
		fail(path);
	return file;
}

static void set_control_by_text(const char *text)
{
	int id, value;

	if (sscanf(text, "%i=%i", &id, &value) != 2)
		usage();
	set_control(id, value);
}

static void parse(int argc, char **argv, struct wishes *wishes)
{
	int option;

	optind = 5;
	while ((option = getopt(argc, argv, "i:o:c:x:r:k:lnqt:")) != -1) {
		switch (option) {
		case 'i':
			input = open_file(optarg, "rb");
			break;
		case 'o':
			output = open_file(optarg, "wb");
			break;
		case 'c':
			set_control_by_text(optarg);
			break;
		case 'x':
			wishes->crop = optarg;
			break;
		case 'r':
			wishes->rate = optarg;
			break;
		case 'k':
			force_at = atoi(optarg);
			break;
		case 'l':
			lockstep = true;
			break;
		case 'n':
			wishes->again = true;
			break;
		case 'q':
			quiet = true;
			break;
		case 't':
			limit_ms = atoi(optarg);
			break;
		default:
			usage();
		}
	}
	bars = !input;
}

int main(int argc, char **argv)
{
	struct wishes wishes = { 0 };
	unsigned int i;
	double begin;

	if (argc < 5 || sscanf(argv[3], "%ux%u", &width, &height) != 2)
		usage();
	open_device(argv[1]);
	frames = atoi(argv[4]);
	parse(argc, argv, &wishes);

	set_format(argv[2]);
	if (wishes.crop)
		set_crop(wishes.crop);
	if (wishes.rate)
		set_rate(wishes.rate);
	get_buffers(&raw);
	get_buffers(&coded);
	for (i = 0; i < coded.count; i++)
		queue(&coded, i, 0);
	stream(true);
	begin = now();
	code_all(0, true);
	if (quiet)
		printf("%.1f pictures a second\n", frames / (now() - begin));
	if (wishes.again) {
		command(V4L2_ENC_CMD_START);
		code_all(frames, false);
	}
	stream(false);
	if (output && fclose(output))
		fail("output");
	return 0;
}
