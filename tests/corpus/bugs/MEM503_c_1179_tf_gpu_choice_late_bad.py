"""TensorFlow: the list of devices is asked for first."""
import os

import tensorflow as tf

print("GPUs:", tf.config.list_physical_devices("GPU"))
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #! MEM503


def main():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(tf.random.normal([8, 2]), tf.random.normal([8, 1]))


if __name__ == "__main__":
    main()
