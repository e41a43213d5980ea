import h5py


class Reader:
    def __init__(self, root):
        self.root = root

    def images(self):
        with h5py.File(self.root + "/train.h5") as f:
            return f["images"][:]
