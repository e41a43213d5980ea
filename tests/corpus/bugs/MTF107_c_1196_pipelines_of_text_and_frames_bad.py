"""tf.data in functions and classes: missing prefetch, shuffle last, plain map with decoding."""
import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset


class Loader:
    def __init__(self, pattern, bs):
        self.files = tf.io.gfile.glob(pattern)
        self.bs = bs

    def __call__(self):
        ds = Dataset.from_tensor_slices(self.files)
        ds = ds.map(self.read)  #! MTF107
        return ds.batch(self.bs).prefetch(AUTOTUNE)

    @staticmethod
    def read(path):
        wav, _ = tf.audio.decode_wav(tf.io.read_file(path))
        return tf.signal.stft(wav[:, 0], 256, 128)


def image_folder(root):
    ds = tf.keras.utils.image_dataset_from_directory(root, batch_size=32)
    return ds.shuffle(1000).prefetch(AUTOTUNE)  #? MTF107


def pairs(x, y):
    return Dataset.from_tensor_slices((x, y)).batch(64).shuffle(10_000).repeat().prefetch(1)  #! MTF107


def main(model):
    model.fit(Loader("a/*.wav", 8)(), epochs=3)
    model.fit(image_folder("img"), epochs=3)
