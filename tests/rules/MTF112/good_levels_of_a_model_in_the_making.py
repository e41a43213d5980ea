# one network on the feature maps of several levels, all of them pieces of one model

import keras.layers as KL
import keras.models as KM


def build_head(depth):
    x = KL.Input((None, None, depth))
    return KM.Model([x], [KL.Conv2D(2, 1)(x), KL.Conv2D(4, 1)(x)])


def build(image):
    p2 = KL.Conv2D(256, 3, name="p2")(image)
    p3 = KL.Conv2D(256, 3, name="p3")(p2)
    p4 = KL.Conv2D(256, 3)(p3)
    p5 = KL.Conv2D(256, 3)(p4)
    maps = [p2, p3, p4, p5]
    head = build_head(256)
    outputs = []
    for p in maps:
        outputs.append(head([p]))
    outputs = list(zip(*outputs))
    return [KL.Concatenate(axis=1)(list(o)) for o in outputs]
