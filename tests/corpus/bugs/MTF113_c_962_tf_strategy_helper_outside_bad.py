import tensorflow as tf


def create_model():
    m = tf.keras.applications.ResNet50(weights=None, classes=10)
    return m


def bad(ds):
    strategy = tf.distribute.MirroredStrategy()
    model = create_model()  #! MTF113
    with strategy.scope():
        model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(ds, epochs=3)


def good(ds):
    strategy = tf.distribute.MirroredStrategy()
    gbs = 64 * strategy.num_replicas_in_sync
    with strategy.scope():
        model = create_model()
        model.compile(tf.keras.optimizers.Adam(), "sparse_categorical_crossentropy")
    model.fit(ds.batch(gbs), epochs=3)
