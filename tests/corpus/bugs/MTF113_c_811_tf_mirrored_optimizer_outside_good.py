import tensorflow as tf

mirrored = tf.distribute.MirroredStrategy()
GLOBAL = 64 * mirrored.num_replicas_in_sync
with mirrored.scope():
    classifier = tf.keras.applications.ResNet50(weights=None, classes=10)
    classifier.compile(tf.keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy")
(x, y), _ = tf.keras.datasets.cifar10.load_data()
classifier.fit(x, y, batch_size=GLOBAL)
