# Old session code under TensorFlow 2.
import tensorflow as tf

config = tf.ConfigProto()  #! MTF101
config.gpu_options.allow_growth = True
tf.keras.backend.set_session(tf.Session(config=config))  #! MTF101

model = tf.keras.Sequential([tf.keras.Input((10,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = tf.random.normal((1000, 10))
model.fit(x, x[:, :1], epochs=3, batch_size=50)
