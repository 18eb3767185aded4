// Inside sim: loops that the compiler turns into vectors, once for each kind of processor; which one
// runs is settled when the program starts.  What makes it work: a loop of plain float (and 32-bit)
// lanes over restrict pointers, in a function of its own.  All clones give the same bits.
#pragma once

// A test may have said which one it wants.  The sanitizers' start-up does not bear the resolvers of
// clones, and clang no clones that stay functions of their own.
#if defined KERNEL
#elif defined __x86_64__ && defined __gnu_linux__ && !defined __clang__ &&                         \
    !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define CLONES
#define KERNEL __attribute__((noinline, target_clones("default", "avx2", "avx512f")))
#else
#define KERNEL __attribute__((noinline))
#endif

// In front of a loop of which no turn reads what another writes, where the compiler does not see it.
#if defined __clang__ // which has no such word without a complaint where it makes no vectors of it
#define INDEPENDENT
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

// A piece of such a loop: what a kernel calls must become part of it.
#define INLINED static inline __attribute__((always_inline))
