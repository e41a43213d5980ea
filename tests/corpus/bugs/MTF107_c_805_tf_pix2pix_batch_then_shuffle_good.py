import tensorflow as tf

BUFFER_SIZE, BATCH_SIZE = 400, 1


def load_image(path):
    raw = tf.io.read_file(path)
    return tf.cast(tf.image.decode_jpeg(raw), tf.float32)


train_dataset = tf.data.Dataset.list_files("facades/train/*.jpg")
train_dataset = train_dataset.shuffle(BUFFER_SIZE)
train_dataset = train_dataset.map(load_image, num_parallel_calls=tf.data.AUTOTUNE)
train_dataset = train_dataset.batch(BATCH_SIZE)
train_dataset = train_dataset.prefetch(1)
