# twenty thousand images of 32 x 32 take a quarter of a gigabyte

import tensorflow as tf

SIZE = 32


def parse(record, augment):
    image = tf.reshape(tf.io.decode_raw(record, tf.uint8), [3, SIZE, SIZE])
    image = tf.cast(tf.transpose(image, [1, 2, 0]), tf.float32)
    if augment:
        image = tf.image.resize_with_crop_or_pad(image, SIZE + 4, SIZE + 4)
        image = tf.image.random_crop(image, [SIZE, SIZE, 3])
    else:
        image = tf.image.resize_with_crop_or_pad(image, SIZE, SIZE)
    return image


def batches(files):
    records = tf.data.FixedLengthRecordDataset(files, 3072)
    images = records.map(lambda r: parse(r, True), num_parallel_calls=4)
    return images.shuffle(20000).batch(64).prefetch(2)
