"""Names of TF 1 in three functions and a class."""
import tensorflow as tf


def reset():
    tf.reset_default_graph()  #! MTF101


def precise(opt):
    return tf.train.experimental.enable_mixed_precision_graph_rewrite(opt)  #! MTF101


class Net:
    def build(self, x):
        init = tf.contrib.layers.xavier_initializer()  #! MTF101
        gpu = tf.GPUOptions(per_process_gpu_memory_fraction=0.3)  #! MTF101
        return init, gpu, x

    def fit(self, model, gen):
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
        scores = model.evaluate_generator(gen, steps=10)  #! MTF101
        return scores, model.predict_generator(gen, steps=10)  #! MTF101
