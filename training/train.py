"""Trains a network on records of self-play that lie in the memory of the processor that trains."""

import ctypes as c
import math
import time
import tomllib

import torch

import network as nn

RECORD = 32
LARGEST_ROW = 505 / nn.QA  # 32 of these and a bias still fit 16 bits
LARGEST_OUTPUT = 127 / nn.QB
GRADIENT_SCALE = 16.0  # keeps small gradients within what half precision can tell from nothing; Adam does not mind


def read_settings(path):
    """The settings of a network from its TOML file."""
    with open(path, "rb") as file:
        settings = tomllib.load(file)
    settings["shape"] = nn.Shape(settings["width"], settings["mirrored"], settings.get("king_buckets", [0] * 64))
    return settings


class Model(torch.nn.Module):
    """Two views of the board through one layer, the side to move first, then one output for each number of pieces."""

    def __init__(self, shape, device):
        super().__init__()
        self.shape = shape

        def random(*size, scale):
            return torch.nn.Parameter((torch.rand(size, device=device) * 2 - 1) * scale)

        self.rows = random(shape.features, shape.width, scale=0.08)
        self.bias = torch.nn.Parameter(torch.full((shape.width,), 0.1, device=device))
        self.output = random(nn.OUTPUTS, 2 * shape.width, scale=1 / math.sqrt(2 * shape.width))
        self.output_bias = torch.nn.Parameter(torch.zeros(nn.OUTPUTS, device=device))

    def forward(self, own, other, buckets):
        # In the precision of the boards: a GPU is fastest with half, which tells a first layer's steps of 1/255 apart.
        rows, bias = self.rows.to(own.dtype), self.bias.to(own.dtype)
        own = torch.addmm(bias, own, rows)
        other = torch.addmm(bias, other, rows)
        active = torch.cat((own, other), dim=1).clamp(0, 1).square().float()
        outputs = torch.addmm(self.output_bias, active, self.output.t())
        return outputs.gather(1, buckets.unsqueeze(1)).squeeze(1)

    def clip(self):
        self.rows.data.clamp_(-LARGEST_ROW, LARGEST_ROW)
        self.bias.data.clamp_(-LARGEST_ROW, LARGEST_ROW)
        self.output.data.clamp_(-LARGEST_OUTPUT, LARGEST_OUTPUT)

    def load(self, network):
        """Takes the weights of a network of the same shape, to train it further."""
        for mine, theirs, scale in (
            (self.rows, network.rows, nn.QA),
            (self.bias, network.bias, nn.QA),
            (self.output, network.output, nn.QB),
            (self.output_bias, network.output_bias, nn.QA * nn.QB),
        ):
            mine.data.copy_(torch.tensor(theirs / scale, dtype=torch.float32))

    def export(self, provenance):
        parts = (p.detach().cpu().numpy() for p in (self.rows, self.bias, self.output, self.output_bias))
        return nn.quantise(self.shape, *parts, provenance)


class View(c.Structure):
    _fields_ = [("mirrored", c.c_uint8), ("buckets", c.c_uint8), ("bucket_of", c.c_uint8 * 64)]


class Batch:
    """A batch of positions: the library unpacks records into these tensors."""

    def __init__(self, library, shape, size, device):
        self.library = library.lib
        self.size = size
        self.view = View(shape.mirrored, shape.buckets, (c.c_uint8 * 64)(*shape.king_buckets))
        self.indices = torch.zeros(size, dtype=torch.int32, device=device)
        precision = torch.float16 if torch.device(device).type == "cuda" else torch.float32
        self.boards = torch.zeros(2, size, shape.features, dtype=precision, device=device)
        self.scores = torch.zeros(size, device=device)
        self.results = torch.zeros(size, device=device)
        self.buckets = torch.zeros(size, dtype=torch.int64, device=device)

    def unpack(self, records):
        self.boards.zero_()
        stream = torch.cuda.current_stream().cuda_stream if records.is_cuda else 0
        pointers = (self.boards[0], self.boards[1], self.scores, self.results, self.buckets)
        self.library.unpack(
            c.c_void_p(records.data_ptr()),
            c.c_void_p(self.indices.data_ptr()),
            c.c_int(self.size),
            c.byref(self.view),
            *(c.c_void_p(t.data_ptr()) for t in pointers),
            c.c_void_p(stream),
        )


def useful(records, first_ply, part=1 << 24):
    """The numbers of the records worth training on: quiet ones past the opening whose scores are no mates."""
    kept = []
    for start in range(0, len(records), part):
        some = records[start : start + part]
        score = some[:, 24:26].contiguous().view(torch.int16).squeeze(1)
        ply = some[:, 28:30].contiguous().view(torch.int16).squeeze(1)
        flags = some[:, 31]
        keep = (flags & 6 == 0) & (score.abs() < 4000) & (ply >= first_ply)
        kept.append((keep.nonzero().squeeze(1) + start).to(torch.int32))
    return torch.cat(kept)


class Training:
    """One network in training. `result_weight` is how much the results of games count beside the scores."""

    def __init__(self, library, settings, records, device, result_weight, start=None):
        self.settings, self.records, self.result_weight = settings, records, result_weight
        self.model = Model(settings["shape"], device)
        if start is not None:
            self.model.load(start)
        self.batch = Batch(library, settings["shape"], settings["batch"], device)
        self.rate = torch.tensor(settings["rate"], device=device)
        on_gpu = records.is_cuda
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(), lr=self.rate if on_gpu else settings["rate"],
            weight_decay=settings["decay"], fused=on_gpu, capturable=on_gpu,
        )
        self.loss = torch.zeros((), device=device)
        self.steps = 0
        everything = useful(records, settings["first_ply"])
        held_out = min(len(everything) // 20, 1 << 18)
        self.held_out = everything[len(everything) - held_out :]
        self.training = everything[: len(everything) - held_out]
        self.graph = None

    def losses(self):
        self.batch.unpack(self.records)
        predicted = torch.sigmoid(self.model(self.batch.boards[0], self.batch.boards[1], self.batch.buckets))
        scores = torch.sigmoid(self.batch.scores / nn.SCALE)
        target = scores + self.result_weight * (self.batch.results - scores)
        return (predicted - target).square()

    def one_step(self):
        self.optimiser.zero_grad(set_to_none=False)
        loss = self.losses().sum()
        (loss * GRADIENT_SCALE).backward()
        self.optimiser.step()
        self.model.clip()
        self.loss += loss.detach() / self.batch.size

    def draw(self):
        """Chooses the positions of the next batch."""
        # With replacement: a draw is one cheap kernel, and no order of billions has to be kept.
        chosen = torch.randint(len(self.training), (self.batch.size,), device=self.training.device)
        torch.index_select(self.training, 0, chosen, out=self.batch.indices)

    def capture(self):
        """Records a step as a graph of the GPU, so that a step costs one launch. Without one, steps are just slower."""
        for _ in range(3):
            self.draw()
            self.one_step()
        try:
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                self.one_step()
            torch.cuda.current_stream().wait_stream(stream)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self.one_step()
            self.graph = graph
        except RuntimeError as error:
            print(f"training without a graph: {error}", flush=True)

    def set_rate(self, progress):
        """A short rise, then down a cosine to a hundredth."""
        high, low = self.settings["rate"], self.settings["rate"] * 0.003
        rise = min(1.0, (self.steps + 1) / 300)
        rate = rise * (low + (high - low) * (1 + math.cos(math.pi * min(progress, 1.0))) / 2)
        self.rate.fill_(rate)
        if not self.records.is_cuda:
            for group in self.optimiser.param_groups:
                group["lr"] = rate

    def run(self, seconds, log, max_steps=1 << 62):
        """Trains for so long."""
        on_gpu = self.records.is_cuda
        begin = time.time()
        self.set_rate(0)
        if on_gpu:
            self.capture()
        last, last_time, last_steps = 0.0, begin, 0
        report = max(seconds / 6, 1)
        while True:
            progress = max((time.time() - begin) / seconds, self.steps / max_steps)
            self.set_rate(progress)
            if progress >= 1:
                break
            for _ in range(20 if on_gpu else 1):
                self.draw()
                self.graph.replay() if self.graph else self.one_step()
                self.steps += 1
            if on_gpu:
                torch.cuda.synchronize()
            if time.time() - last_time > report:
                total, now = self.loss.item(), time.time()
                speed = (self.steps - last_steps) * self.batch.size / (now - last_time) / 1e6
                log(
                    f"  step {self.steps}: loss {(total - last) / max(self.steps - last_steps, 1):.6f}, "
                    f"{speed:.1f} million positions a second"
                )
                last, last_time, last_steps = total, now, self.steps
        return time.time() - begin

    @torch.no_grad()
    def held_out_loss(self):
        """The mean loss on games that were not trained on."""
        if len(self.held_out) < self.batch.size:
            return float("nan")
        total, n = 0.0, 0
        for start in range(0, len(self.held_out) - self.batch.size + 1, self.batch.size):
            self.batch.indices.copy_(self.held_out[start : start + self.batch.size])
            total += self.losses().mean().item()
            n += 1
        return total / n
