import tensorflow as tf


class Agent:
    def __init__(self, net):
        self.net = net
        self.opt = tf.keras.optimizers.Adam()

    @tf.function
    def update(self, s, y, beta, step):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean((self.net(s) - y) ** 2) * beta
        g = t.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(g, self.net.trainable_variables))
        return loss

    @tf.function(input_signature=[tf.TensorSpec([None, 4]), tf.TensorSpec([], tf.float32)])
    def act(self, s, eps):
        return tf.argmax(self.net(s), -1)


def learn(agent, buf, n):
    for i in range(n):
        s, y = buf.sample()
        beta = min(1.0, 0.4 + i / n)
        agent.update(s, y, beta, i)  #! MTF110
        agent.act(s, 0.1)
