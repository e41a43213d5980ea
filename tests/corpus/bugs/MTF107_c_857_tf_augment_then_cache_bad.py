import tensorflow as tf
import tensorflow_datasets as tfds


def augment(img, label):
    return tf.image.random_crop(tf.image.resize(img, (250, 250)), (224, 224, 3)), label


def main():
    ds, info = tfds.load("cats_vs_dogs", split="train", as_supervised=True, with_info=True)
    ds = ds.map(augment)  #! MTF107
    ds = ds.cache()  #! MTF107
    ds = ds.shuffle(info.splits["train"].num_examples).batch(64).prefetch(tf.data.AUTOTUNE)
    m = tf.keras.applications.MobileNetV2(weights=None, classes=2)
    m.compile("adam", "sparse_categorical_crossentropy")
    m.fit(ds, epochs=5)


main()
