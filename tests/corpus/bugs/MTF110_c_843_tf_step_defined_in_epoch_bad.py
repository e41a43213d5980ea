import tensorflow as tf


def train(model, data, opt, epochs):
    for epoch in range(epochs):
        @tf.function
        def step(x, y):  #! MTF110
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            g = tape.gradient(loss, model.trainable_variables)
            opt.apply_gradients(zip(g, model.trainable_variables))
            return loss

        for x, y in data:
            step(x, y)


def evaluate(model, rows):
    for r in rows:
        f = tf.function(lambda v: model(v))  #! MTF110
        print(f(r))
