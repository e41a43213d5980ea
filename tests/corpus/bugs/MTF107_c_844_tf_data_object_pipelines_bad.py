import tensorflow as tf


class Data:
    def __init__(self, files, bs):
        self.train = self._make(files["train"], bs)
        self.val = self._make(files["val"], bs)

    def _make(self, files, bs):
        return tf.data.Dataset.list_files(files).interleave(tf.data.TFRecordDataset, num_parallel_calls=4).batch(bs)  #! MTF107


def main(files):
    data = Data(files, 16)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x=data.train, validation_data=data.val)
