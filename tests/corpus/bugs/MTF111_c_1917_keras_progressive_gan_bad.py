"""Keras GAN zoo: progressive growing, predict per step, models per resolution, policy lost."""
import argparse
import gc
import os

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers, models, optimizers
from tensorflow.keras.mixed_precision import set_global_policy


class Config:
    latent = 128
    batch = 16
    steps = 2000


def generator(res, latent):
    m = models.Sequential(name=f"g{res}")
    m.add(layers.Input((latent,)))
    m.add(layers.Dense(4 * 4 * 64))
    m.add(layers.Reshape((4, 4, 64)))
    while m.output_shape[1] < res:
        m.add(layers.Conv2DTranspose(64, 4, 2, "same", activation="relu"))
    m.add(layers.Conv2D(3, 3, padding="same", activation="tanh", dtype="float32"))
    return m


def discriminator(res):
    m = models.Sequential([layers.Input((res, res, 3)), layers.Conv2D(64, 4, 2), layers.Flatten(), layers.Dense(1, dtype="float32")])
    m.compile(optimizers.Adam(2e-4, 0.5), tf.keras.losses.BinaryCrossentropy(from_logits=True))
    return m


class ProGAN:
    def __init__(self, cfg):
        self.cfg = cfg
        self.g = self.d = None

    def build(self, res):
        self.d = discriminator(res)
        self.g = generator(res, self.cfg.latent)
        self.d.trainable = False
        z = layers.Input((self.cfg.latent,))
        self.gan = models.Model(z, self.d(self.g(z)))
        self.gan.compile(optimizers.Adam(2e-4, 0.5), tf.keras.losses.BinaryCrossentropy(from_logits=True))

    def noise(self, n):
        return np.random.normal(size=(n, self.cfg.latent))

    def train_resolution(self, images):
        n = self.cfg.batch
        for step in range(self.cfg.steps):
            idx = np.random.randint(0, len(images), n)
            fake = self.g.predict(self.noise(n), verbose=0)  #! MTF111
            dl = self.d.train_on_batch(images[idx], np.ones((n, 1))) + self.d.train_on_batch(fake, np.zeros((n, 1)))
            gl = self.gan.train_on_batch(self.noise(n), np.ones((n, 1)))
            if step % 100 == 0:
                print(step, dl, gl)

    def run(self, data):
        for res in (8, 16, 32, 64, 128):
            K.clear_session()  #! MTF105
            gc.collect()
            self.build(res)
            self.train_resolution(data[res])
            self.g.save(f"g{res}.keras")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--gpu", default="0")
    args = p.parse_args()
    os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu
    for g in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(g, True)
    set_global_policy("mixed_float16")
    data = {r: np.load(f"{r}.npy", mmap_mode="r") for r in (8, 16, 32, 64, 128)}
    ProGAN(Config()).run(data)


if __name__ == "__main__":
    main()
