# the batch size comes from the command line

import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--batch", type=int)
args = parser.parse_args()
strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(tf.zeros((64, 4)), tf.zeros((64, 1)), batch_size=args.batch)
