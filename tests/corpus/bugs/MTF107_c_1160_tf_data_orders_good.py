import tensorflow as tf


def decode(path, label):
    img = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(img, (224, 224)) / 255.0, label


def augment(img, label):
    return tf.image.random_flip_left_right(img), label


def make(paths, labels, auto=tf.data.AUTOTUNE):
    ds = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    ds = ds.map(decode, num_parallel_calls=auto).cache("/tmp/decoded").map(augment, num_parallel_calls=auto)
    return ds.batch(32).prefetch(auto)


def windows(series, n):
    ds = tf.data.Dataset.from_tensor_slices(series).window(n + 1, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(n + 1)).shuffle(500)
    return ds.map(lambda w: (w[:-1], w[-1]), num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(1)


def records(files):
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(10000).interleave(tf.data.TFRecordDataset, cycle_length=4)
    return ds.shuffle(512).batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def evaluation(x, y):
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(256).prefetch(1)


def fit(model, paths, labels):
    model.fit(make(paths, labels), epochs=10)
