/// What goes over the socket: the types of `io.kinebox.Recorder`, and an enumeration for each of its methods with what
/// it takes and what it gives. `io.kinebox.Recorder.varlink` says what each of them means; a test holds the two
/// together.
public enum RecorderAPI {}
