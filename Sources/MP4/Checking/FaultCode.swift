/// The kinds of fault that the checker tells apart. The raw values are part of the program's output and do not change.
public enum FaultCode: String, Sendable, CaseIterable {
    // The file as a whole.
    /// The file ends before the box that it is in the middle of.
    case truncated = "Truncated"
    /// The medium gave an error, or the file shrank while it was read.
    case unreadable = "Unreadable"
    /// The file's brands are missing or say nothing.
    case brand = "Brand"
    /// A recording of ours that nobody finalised.
    case notFinalised = "NotFinalised"
    /// The header says that the recording is finalised, but there is no final movie box.
    case hiddenMovie = "HiddenMovie"

    // Boxes.
    /// A box is smaller than its header or larger than what encloses it.
    case boxSize = "BoxSize"
    /// Bytes behind the last box of a container are no box.
    case boxRemainder = "BoxRemainder"
    /// A box that must be there is not.
    case boxMissing = "BoxMissing"
    /// A box that may be there once is there more often.
    case boxDuplicate = "BoxDuplicate"
    /// A box stands where it must not.
    case boxOrder = "BoxOrder"
    /// A box has a name that nobody gives.
    case boxUnknown = "BoxUnknown"
    /// A box's fields are malformed, or do not fill it.
    case boxContent = "BoxContent"
    /// Boxes are nested deeper, or tracks are more, than any player follows.
    case boxDepth = "BoxDepth"

    // Sample tables.
    /// A table's number of entries does not fit its box.
    case tableCount = "TableCount"
    /// The table of durations covers another number of samples than there are.
    case timeCount = "TimeCount"
    /// The table of composition offsets covers another number of samples than there are.
    case compositionCount = "CompositionCount"
    /// The table of chunks covers another number of samples than there are.
    case chunkCount = "ChunkCount"
    /// The table of chunks does not begin with chunk 1, does not rise or leaves the chunks that there are.
    case chunkRuns = "ChunkRuns"
    /// A chunk holds no sample.
    case chunkEmpty = "ChunkEmpty"
    /// Chunks lie back and forth in the file more often than can be judged.
    case chunkOrder = "ChunkOrder"
    /// The table of sync samples does not rise or names a sample that there is not.
    case syncTable = "SyncTable"
    /// There are more samples than bytes.
    case sampleCount = "SampleCount"
    /// A sample refers to a description that there is not.
    case descriptionIndex = "DescriptionIndex"

    // Where samples lie and when they are shown.
    /// A sample lies outside the media data.
    case sampleOutside = "SampleOutside"
    /// Two samples share bytes.
    case sampleOverlap = "SampleOverlap"
    /// A sample has no bytes, or more than is possible.
    case sampleSize = "SampleSize"
    /// Decode times do not rise.
    case timeOrder = "TimeOrder"
    /// A composition offset is out of all proportion.
    case compositionOffset = "CompositionOffset"
    /// Two pictures are shown at the same moment.
    case presentationTime = "PresentationTime"

    // What is in samples.
    /// The lengths of NAL units do not fill the sample exactly.
    case unitLength = "UnitLength"
    /// A NAL unit is malformed, or of a type that must not be in a sample.
    case unitContent = "UnitContent"
    /// A video sample has no picture.
    case pictureMissing = "PictureMissing"
    /// A sample is called a sync sample and is no IDR picture.
    case syncNotKeyFrame = "SyncNotKeyFrame"
    /// An IDR picture is not called a sync sample.
    case keyFrameNotSync = "KeyFrameNotSync"
    /// The first picture is no IDR picture.
    case firstNotKeyFrame = "FirstNotKeyFrame"
    /// A parameter set in a sample contradicts the sample description.
    case parameterSetInSample = "ParameterSetInSample"
    /// An audio sample is no AAC frame.
    case audioContent = "AudioContent"

    // Agreement of descriptions.
    /// The decoder configuration is malformed.
    case configuration = "Configuration"
    /// Profile or compatibility differ between the configuration and the sequence parameter set.
    case profile = "Profile"
    /// The level differs between the configuration and the sequence parameter set.
    case level = "Level"
    /// Chroma format or bit depth differ between the configuration and the sequence parameter set.
    case chroma = "Chroma"
    /// The size of the picture differs between the sequence parameter set and the sample description.
    case pictureSize = "PictureSize"
    /// The size at which the track is shown is 0 or does not follow from the picture's size.
    case displaySize = "DisplaySize"
    /// The shape of pixels differs between the sequence parameter set and the sample description.
    case pixelAspect = "PixelAspect"
    /// Colour differs between the sequence parameter set and the sample description, or is not described.
    case color = "Color"
    /// The descriptors of the sound do not nest.
    case audioDescriptor = "AudioDescriptor"
    /// Rate or channels differ between the sound's configuration and the sample description.
    case audioFormat = "AudioFormat"
    /// The kind of track, its media header and its sample description do not fit together.
    case handler = "Handler"
    /// The samples are said to be in another file.
    case dataReference = "DataReference"
    /// Two tracks have the same number, or one has the number 0.
    case trackNumber = "TrackNumber"
    /// There is no track.
    case trackMissing = "TrackMissing"

    /// The texts about the recording are malformed.
    case metadata = "Metadata"
    /// The list of chapters is malformed, or does not agree with their track or with the fragments.
    case chapters = "Chapters"

    // Durations.
    /// A timescale is 0.
    case timescale = "Timescale"
    /// The movie's duration is not that of its longest track.
    case movieDuration = "MovieDuration"
    /// A track's duration is not that of its media or edits.
    case trackDuration = "TrackDuration"
    /// The duration of a track's media is not that of its samples.
    case mediaDuration = "MediaDuration"
    /// An edit leaves the media, or nothing of the media is shown.
    case editList = "EditList"
    /// Picture and sound do not begin and end together.
    case trackExtent = "TrackExtent"

    // Fragments.
    /// The numbers of fragments do not rise.
    case fragmentSequence = "FragmentSequence"
    /// A fragment's time does not follow the one before.
    case fragmentTime = "FragmentTime"
    /// A fragment is for a track that there is not.
    case fragmentTrack = "FragmentTrack"
    /// The index of fragments points to something else.
    case fragmentIndex = "FragmentIndex"

    // Our own records.
    /// The session record is damaged.
    case sessionRecord = "SessionRecord"
    /// A fragment record is damaged, out of sequence or of another session.
    case fragmentRecord = "FragmentRecord"
    /// The checksum of a fragment does not fit its bytes.
    case fragmentChecksum = "FragmentChecksum"
    /// The final tables do not say what the fragments said.
    case fragmentTables = "FragmentTables"
    /// The seal of the final tables does not fit their bytes.
    case tableSeal = "TableSeal"
    /// Bytes behind the end of the recording.
    case trailingBytes = "TrailingBytes"
}
