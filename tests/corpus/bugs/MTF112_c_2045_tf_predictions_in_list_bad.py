# Collects the predictions of a whole dataset of volumes.
import tensorflow as tf


def unet(size=64):
    i = tf.keras.Input((size, size, 1))
    d = tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu")(i)
    return tf.keras.Model(i, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(d))


def infer(model, dataset):
    preds = []
    for images, _ in dataset:
        pred = model(images, training=False)  #= MTF112
        preds.append(pred)  #! MTF112
    return tf.concat(preds, axis=0)


def main():
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    volumes = tf.data.Dataset.from_generator(
        lambda: ((tf.random.uniform((64, 64, 1)), 0) for _ in range(20000)),
        output_signature=(tf.TensorSpec((64, 64, 1)), tf.TensorSpec((), tf.int32)),
    ).batch(32).prefetch(tf.data.AUTOTUNE)
    print(len(infer(unet(), volumes)))


main()
