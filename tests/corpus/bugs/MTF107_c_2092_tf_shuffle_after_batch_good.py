# Input pipeline of a classifier with its stages in a costly order.
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def decode(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0, tf.strings.length(path) % 2


def pipeline(pattern, batch_size=64):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.map(decode, num_parallel_calls=AUTOTUNE)
    return ds.repeat().batch(batch_size).prefetch(AUTOTUNE)


for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
base = tf.keras.applications.MobileNetV2(include_top=False, pooling="avg")
model = tf.keras.Sequential([base, tf.keras.layers.Dense(2)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(pipeline("images/*.jpg"), steps_per_epoch=200, epochs=10)
