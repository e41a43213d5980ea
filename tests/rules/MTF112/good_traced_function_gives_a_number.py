# the function gives a loss, a count, or what goes to the host before it is kept

import tensorflow as tf

model = tf.keras.models.load_model("unet.keras")
optimizer = tf.keras.optimizers.Adam()


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    return loss


@tf.function
def infer(x):
    return model(x, training=False)


def train(data):
    losses = []
    for x, y in data:
        losses.append(step(x, y))
    return tf.reduce_mean(losses)


def predict(data):
    found = []
    for x in data:
        found.append(infer(x).numpy())
    return found


def mean_of_outputs(data):
    found = []
    for x in data:
        found.append(tf.reduce_mean(infer(x)))
    return found


class Predictor:
    def to_host(self, outputs):
        for name, value in outputs.items():
            outputs[name] = value.numpy()
        return outputs

    def predict_batch(self, x):
        outputs = model(x, training=False)
        return self.to_host(outputs)

    def predict(self, data):
        found = []
        for x in data:
            outputs = self.predict_batch(x)
            found.append(outputs)
        return found
