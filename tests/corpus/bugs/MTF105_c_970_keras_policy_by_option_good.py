import argparse

import keras
from keras import layers


def setup(args):
    if args.fp16:
        keras.mixed_precision.set_global_policy("mixed_float16")


def build(w):
    return keras.Sequential([keras.Input((8,)), layers.Dense(w), layers.Dense(1, dtype="float32")])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--fp16", action="store_true")
    args = p.parse_args()
    setup(args)
    for w in range(16, 256, 16):
        keras.backend.clear_session()
        setup(args)
        m = build(w)
        m.compile("adam", "mse")
        m.fit(keras.ops.zeros((8, 8)), keras.ops.zeros((8, 1)))


def main_ok():
    for w in range(16, 256, 16):
        keras.utils.clear_session()
        keras.config.set_dtype_policy("mixed_float16")
        m = build(w)
        m.compile("adam", "mse")
        m.fit(keras.ops.zeros((8, 8)), keras.ops.zeros((8, 1)))


if __name__ == "__main__":
    main()
    main_ok()
