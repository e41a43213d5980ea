# what a plain table has under a key decodes a field of the data: containers of layers have no `get`

import torch


class Fields:
    def __init__(self, table, decoders):
        self._table = table
        self._decoders = decoders

    def complete(self, batch, wanted):
        for key in wanted:
            field_decoder = self._decoders.get(key, None)
            batch[key] = field_decoder(batch) if key not in batch else batch[key]

    def features(self, batch, wanted):
        for key in wanted:
            extractor = self._table.get(key)
            batch[key] = extractor(batch)


class Validation:
    def __init__(self, net, loader, table, decoders):
        self.net = net
        self.loader = loader
        self.fields = Fields(table, decoders)

    def _process(self, batch):
        self.fields.complete(batch, ("depth", "mask"))
        self.fields.features(batch, ("edges", "corners"))
        with torch.no_grad():
            out = self.net(batch)
        print(out.sum().item())

    def run(self):
        self.net.eval()
        for batch in self.loader:
            self._process(batch)


def show(table, loader, kind):
    for images in loader:
        detector = table.get(kind, None)
        print(detector(images).shape)
