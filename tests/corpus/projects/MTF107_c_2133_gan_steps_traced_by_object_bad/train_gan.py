import tensorflow as tf
from gan.models import make_generator, make_discriminator
from gan.data import dataset
from gan.steps import GanStep
from gan import gpu

gpu.configure()
G, D = make_generator(), make_discriminator()
step = GanStep(G, D)
hist = []
for epoch in range(50):
    for i, x in enumerate(dataset("imgs/*.png")):
        step(x, i)  #! MTF110
    hist.append(G(tf.random.normal((16, 100)), training=False))  #= MTF112
