# in the tear-down of tests

import unittest

import tensorflow as tf


class NetTest(unittest.TestCase):
    def setUp(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

    def tearDown(self):
        tf.keras.backend.clear_session()

    def test_shape(self):
        self.assertEqual(self.model(tf.zeros((2, 3))).shape, (2, 1))
