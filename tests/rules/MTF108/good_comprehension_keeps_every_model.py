# an ensemble: all of them are wanted at once
import tensorflow as tf

def train(seed, x, y):
    tf.random.set_seed(seed)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    history = model.fit(x, y)
    return model, history

x, y = tf.zeros((64, 4)), tf.zeros((64, 1))
trained = [train(seed, x, y) for seed in range(8)]
print(sum(model.predict(x) for model, _ in trained) / 8)
