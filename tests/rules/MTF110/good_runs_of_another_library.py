"""A session of ONNX beside eager operations of TensorFlow 2."""

import onnxruntime
import tensorflow as tf


def compare(path, network, batches):
    model = tf.function(network)
    sess = onnxruntime.InferenceSession(path)
    for batch in batches:
        ours = tf.reduce_mean(model(batch))
        print(ours - sess.run(None, {"x": batch})[0].mean())


def compare_with(sess, model, batches):
    for batch in batches:
        print(tf.reduce_mean(model(batch)) - sess.run(None, {"x": batch})[0].mean())
