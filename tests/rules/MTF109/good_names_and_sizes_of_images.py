# What a loop over images keeps of them are names and numbers.

import glob

import cv2
import numpy as np
import tensorflow as tf

found, heights = [], []
for path in glob.glob("train/*"):
    image = cv2.imread(path)
    found.append(path)
    heights.append(image.shape[0])
paths = tf.data.Dataset.from_tensor_slices(np.array(found))
numbers = tf.data.Dataset.from_tensor_slices(np.array(heights))
