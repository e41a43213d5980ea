"""MirroredStrategy: model outside the scope."""
import tensorflow as tf
from tensorflow.keras import layers, models


def net():
    m = models.Sequential([layers.Conv2D(32, 3, activation="relu"), layers.GlobalAveragePooling2D(), layers.Dense(10)])
    m.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return m


def main():
    strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
    model = net()  #! MTF113
    (x, y), _ = tf.keras.datasets.cifar10.load_data()
    ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(5000).batch(64 * strategy.num_replicas_in_sync).prefetch(2)  #? MTF109
    with strategy.scope():
        model.fit(ds, epochs=10)


if __name__ == "__main__":
    main()
