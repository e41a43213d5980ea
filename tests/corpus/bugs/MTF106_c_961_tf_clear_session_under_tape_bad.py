import tensorflow as tf
from tensorflow.keras import backend as K


def train(model, ds, opt, epochs):
    loss_fn = tf.keras.losses.MeanSquaredError()
    for ep in range(epochs):
        for x, y in ds:
            with tf.GradientTape() as tape:
                loss = loss_fn(y, model(x, training=True))
            g = tape.gradient(loss, model.trainable_variables)
            opt.apply_gradients(zip(g, model.trainable_variables))
            K.clear_session()  #! MTF106
        print(ep, float(loss))


def folds(build, data):
    for x, y in data:
        K.clear_session()
        m = build()
        m.compile("sgd", "mse")
        m.fit(x, y)
