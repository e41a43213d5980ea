import tensorflow as tf
from tensorflow.keras import layers, models


def net():
    m = models.Sequential([layers.Conv2D(32, 3, activation="relu"), layers.GlobalAveragePooling2D(), layers.Dense(10)])
    m.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return m


def main():
    strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
    with strategy.scope():
        model = net()
    ds = tf.data.TFRecordDataset(["a"]).shuffle(500).batch(64 * strategy.num_replicas_in_sync).prefetch(2)
    model.fit(ds, epochs=10)
    probe = models.load_model("single.keras")
    print(probe.count_params())


if __name__ == "__main__":
    main()
